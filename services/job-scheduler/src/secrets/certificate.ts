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

/** The opened certificates in a request. */
export interface OpenedCertificates {
  readonly main?: Opened | undefined
  readonly error?: Opened | undefined
}

/** For a busy machine: a process takes a quarter of a second, and exits after one second of CPU time. */
const deadlineMs = 20_000

/** Workers open it for every attempt; ordinary ones take 10 ms. */
const maxCpuMs = 250

/** Each opening is a process that may take seconds: a tenant's requests wait only for its own. */
const waiting = { maxWaiting: 8, waitMs: 5_000, refusal: 'Too many certificates are being opened: try again shortly.' }
const ofTenant = semaphorePerKey(1, waiting)
const ofNode = semaphore(2, { ...waiting, maxWaiting: 100 })

const program = new URL('./open-certificate.ts', import.meta.url)

/** Start of a long DER sequence in base64, as in any PKCS#12 file. */
const derSequence = /^MI/

/** Opens the certificates in a request, before the transaction that stores them. */
export async function openCertificates(
  { body }: { readonly body: { readonly properties?: PropertiesInput } },
  { caller }: { readonly caller: Caller },
): Promise<OpenedCertificates> {
  const action = body.properties?.action
  const open = async (input: SimpleActionInput | undefined): Promise<Opened | undefined> => {
    const authentication = input?.request?.authentication
    const certificate = authentication && certificateIn(authentication)
    if (!certificate) return undefined
    if (!derSequence.test(certificate.pfx)) return { reason: 'it does not look like a PKCS#12 file' } // saves a process
    return ofTenant(caller.tenant, () => ofNode(() => openInProcess(certificate)))
  }
  return { main: await open(action), error: await open(action?.errorAction) }
}

/** Returns the visible properties of a certificate; refuses unusable ones. */
export function readCertificate(opened: Opened | undefined, at: string): CertificateView {
  if (opened === undefined) throw new Error(`The certificate at ${at} was not opened.`)
  if (opened === 'tooSlow' || ('cpuMs' in opened && opened.cpuMs > maxCpuMs))
    invalid([{ at, message: 'takes too long to open: export it with fewer iterations, such as 2048' }])
  if ('reason' in opened)
    invalid([
      {
        at,
        message:
          `cannot be opened (${opened.reason}): check its password, and that it is a PKCS#12 file ` +
          'with a certificate and its key in modern ciphers',
      },
    ])
  const { cpuMs: _, ...view } = opened
  return view
}

/**
 * A PKCS#12 file sets its own number of hash iterations, which can take hours in one uninterruptible call: hence a
 * separate process of low priority, which can be killed.
 */
async function openInProcess(certificate: SecretCertificate): Promise<Opened> {
  try {
    const options = { input: JSON.stringify(certificate), deadlineMs, isBackground: true }
    const output = await runProgram(process.execPath, [fileURLToPath(program)], options)
    return JSON.parse(output.toString())
  } catch (cause) {
    if (cause instanceof ProgramFailed && cause.signal === tooSlow) return 'tooSlow'
    throw new Failure('unavailable', 'The certificate could not be checked: try again.', {
      retryAfterSeconds: 5,
      cause,
    })
  }
}
