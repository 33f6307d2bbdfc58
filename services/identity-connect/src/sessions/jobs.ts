import { Failure, job } from '@icosa/kernel'

export interface SignOutNotice {
  readonly url: string
  /** The form with the signed logout token. */
  readonly form: string
}

/** Notifies a client's server of a sign-out. Any response but a server error counts. */
export const deliverSignOut = job<SignOutNotice>('deliverSignOut', {
  retries: 6,
  async run({ url, form }, { fetch }) {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: form,
      redirect: 'manual',
      timeoutMs: 5_000,
      maxBytes: 64 * 1024,
    })
    if (status >= 500) throw new Failure('unavailable', `The client at ${new URL(url).origin} returned ${status}.`)
  },
})
