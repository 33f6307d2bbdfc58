import { job } from '@icosa/kernel'

/** How long uploads are kept, and what was found in them. */
export const keptMs = 3_600_000

export const forgetUploads = job<object>('forgetUploads', {
  async run(_, { blobs: { shared }, clock, signal }) {
    const oldest = clock.now().getTime() - keptMs
    let after: string | undefined = ''
    while (after !== undefined) {
      signal.throwIfAborted()
      const page: Awaited<ReturnType<typeof shared.list>> = await shared.list('', { limit: 1_000, after })
      const old = page.items.filter(({ modifiedAt }) => modifiedAt.getTime() < oldest)
      await Promise.all(old.map(({ key }) => shared.delete(key)))
      after = page.next
    }
  },
})
