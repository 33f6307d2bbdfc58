import type { JobContext } from '@icosa/kernel'

/** Runs work for each item concurrently, and logs failures in one line by the items' names. */
export async function forEach<T>(
  { log }: Pick<JobContext, 'log'>,
  items: readonly T[],
  nameOf: (item: T) => string,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const failed: { readonly name: string; readonly error: Error }[] = []
  await Promise.all(items.map((item) => work(item).catch((error: Error) => failed.push({ name: nameOf(item), error }))))
  // One line, however many: a host with a thousand broken databases must not fill the log every minute.
  if (failed.length > 0)
    log.warn(
      { err: failed[0]?.error, count: failed.length, names: failed.slice(0, 10).map(({ name }) => name) },
      'supervision failed for some; it will be retried',
    )
}
