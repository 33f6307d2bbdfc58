import { fork } from 'node:child_process'
import { Failure, invalid } from '@icosa/kernel'
import type { CertificateAuthentication } from '../actions/action.ts'
import type { Opened } from './open-certificate.ts'
import type { SecretCertificate } from './secrets.ts'

type Shown = Pick<
  CertificateAuthentication,
  'certificateThumbprint' | 'certificateSubjectName' | 'certificateExpirationDate'
>

/** With its process, which takes a quarter of a second. */
const patienceMs = 3_000

/** It is opened again for every attempt, in a worker that has other things to do: ordinary ones take 10 ms. */
const cpuLimitMs = 250

/**
 * What is shown of a certificate; refuses what cannot be used. A PKCS#12 file says itself how often its password is
 * hashed, up to hours of it, in one call that nothing can interrupt: hence a process, which can be killed.
 */
export async function readCertificate(certificate: SecretCertificate, at: string): Promise<Shown> {
  const opened = await openElsewhere(certificate)
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

function openElsewhere(certificate: SecretCertificate): Promise<Opened | 'tooSlow'> {
  return new Promise((resolve, reject) => {
    // Nothing of our environment, where the keys of the platform are.
    const child = fork(new URL('./open-certificate.ts', import.meta.url), {
      env: {},
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      timeout: patienceMs,
      killSignal: 'SIGKILL',
    })
    child.once('message', (opened: Opened) => resolve(opened))
    child.once('error', reject)
    child.once('exit', (_code, signal) => {
      if (signal === 'SIGKILL') resolve('tooSlow')
      else reject(new Failure('unavailable', 'The certificate could not be looked at: try again.'))
    })
    child.send(certificate)
  })
}
