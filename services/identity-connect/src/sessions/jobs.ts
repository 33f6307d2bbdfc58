import { Failure, job } from '@icosa/kernel'

export interface SignOutNotice {
  readonly url: string
  /** The form with the signed statement that somebody signed out. */
  readonly form: string
}

/** Notifies a client's server that somebody signed out. What it answers does not matter, only that it does. */
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
    if (status >= 500) throw new Failure('unavailable', `The client at ${new URL(url).origin} answered ${status}.`)
  },
})
