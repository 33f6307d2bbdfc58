import { ok } from '@icosa/kernel'

/** What an update or a deletion answers. */
export const done = () => ok({ code: 'Success' as const, message: 'Operation Successful' })

/** A part of a list that is in memory. */
export const paged = <T>(all: readonly T[], { skip, take }: { readonly skip: number; readonly take: number }): T[] =>
  all.slice(skip, skip + take)
