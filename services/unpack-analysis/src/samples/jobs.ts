import { job } from '@icosa/kernel'

/** Retention of uploads and their analyses. */
export const retentionMs = 3_600_000

export const forgetUploads = job<object>('forgetUploads', {
  async run(_, { blobs: { shared }, clock, signal }) {
    const cutoff = clock.now().getTime() - retentionMs
    let after: string | undefined = ''
    while (after !== undefined) {
      signal.throwIfAborted()
      const page: Awaited<ReturnType<typeof shared.list>> = await shared.list('', { limit: 1_000, after })
      const expired = page.items.filter(({ modifiedAt }) => modifiedAt.getTime() < cutoff)
      await Promise.all(expired.map(({ key }) => shared.delete(key)))
      after = page.next
    }
  },
})
