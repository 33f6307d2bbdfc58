import { ok } from '@icosa/kernel'

/** Reply to an update or a deletion. */
export const done = () => ok({ code: 'Success' as const, message: 'Operation Successful' })

/** Pages a list in memory. */
export const paged = <T>(all: readonly T[], { skip, take }: { readonly skip: number; readonly take: number }): T[] =>
  all.slice(skip, skip + take)

/** Lists unknown members of an imported file in a header, since the body is only an id. */
export const toUnknownMembers = (names: readonly string[]): Record<string, string> | undefined =>
  names.length > 0
    ? {
        [unknownMembers]: names
          .slice(0, 20)
          .join(', ')
          .replaceAll(/[^ -~]/gu, encodeURIComponent),
      }
    : undefined

export const unknownMembers = 'icosa-unknown-members'
