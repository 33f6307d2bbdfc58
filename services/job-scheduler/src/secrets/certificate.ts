import { fileURLToPath } from 'node:url'
import { ProgramFailed, runProgram } from '@icosa/compute'
import { type Caller, Failure, invalid, semaphore, semaphorePerKey } from '@icosa/kernel'
import type { CertificateAuthentication } from '../actions/action.ts'
import type { SimpleActionInput } from '../actions/contract.ts'
import { certificateIn } from '../actions/read-request.ts'
import type { PropertiesInput } from '../jobs/contract.ts'
import { type Opened, tooSlow } from './opened.ts'
import type { SecretCertificate } from './secrets.ts'

type CertificateView = Pick<
  CertificateAuthentication,
  'certificateThumbprint' | 'certificateSubjectName' | 'certificateExpirationDate'
>

/** The certificates in a request for a job, opened. */
export interface OpenedCertificates {
  readonly main?: Opened | undefined
  readonly error?: Opened | undefined
}

/** However busy the machine is: a process takes a quarter of a second, and gives up after a second of the processor's. */
const patienceMs = 20_000

/** It is opened again for every attempt, in a worker that has other things to do: ordinary ones take 10 ms. */
const cpuLimitMs = 250

/** Each is a process that may take seconds. A tenant that sends many waits for itself. */
const waiting = { maxWaiting: 8, waitMs: 5_000, refusal: 'Too many certificates are being opened: try again shortly.' }
const ofTenant = semaphorePerKey(1, waiting)
const ofNode = semaphore(2, { ...waiting, maxWaiting: 100 })

const opening = new URL('./open-certificate.ts', import.meta.url)

/** The base64 of a long sequence in DER, which a PKCS#12 file is. */
const startsLikeOne = /^MI/

/** Opens the certificates that a request for a job has in it, before the transaction that will keep them. */
export async function openCertificates(
  { body }: { readonly body: { readonly properties?: PropertiesInput } },
  { caller }: { readonly caller: Caller },
): Promise<OpenedCertificates> {
  const action = body.properties?.action
  const open = async (given: SimpleActionInput | undefined): Promise<Opened | undefined> => {
    const authentication = given?.request?.authentication
    const certificate = authentication && certificateIn(authentication)
    if (!certificate) return undefined
    if (!startsLikeOne.test(certificate.pfx)) return { reason: 'it does not look like a PKCS#12 file' } // worth no process
    return ofTenant(caller.tenant, () => ofNode(() => openElsewhere(certificate)))
  }
  return { main: await open(action), error: await open(action?.errorAction) }
}

/** What is shown of a certificate; refuses one that cannot be used. */
export function readCertificate(opened: Opened | undefined, at: string): CertificateView {
  if (opened === undefined) throw new Error(`Nobody has opened the certificate at ${at}.`)
  if (opened === 'tooSlow' || ('cpuMs' in opened && opened.cpuMs > cpuLimitMs))
    invalid([{ at, message: 'takes too long to open: export it with fewer iterations, such as 2048' }])
  if ('reason' in opened)
    invalid([
      {
        at,
        message:
          `cannot be opened (${opened.reason}): check its password, and that it is a PKCS#12 file ` +
          'with a certificate and its key in ciphers of today',
      },
    ])
  const { cpuMs: _, ...shown } = opened
  return shown
}

/**
 * A PKCS#12 file says itself how often its password is hashed, up to hours of it, in one call that nothing can
 * interrupt: hence a process, which can be killed, and which everything else on the machine goes before.
 */
async function openElsewhere(certificate: SecretCertificate): Promise<Opened> {
  try {
    const options = { input: JSON.stringify(certificate), deadlineMs: patienceMs, isBackground: true }
    const opened = await runProgram(process.execPath, [fileURLToPath(opening)], options)
    return JSON.parse(opened.toString())
  } catch (cause) {
    if (cause instanceof ProgramFailed && cause.signal === tooSlow) return 'tooSlow'
    throw new Failure('unavailable', 'The certificate could not be checked: try again.', {
      retryAfterSeconds: 5,
      cause,
    })
  }
}
