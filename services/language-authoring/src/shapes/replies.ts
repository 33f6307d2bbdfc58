import { ok } from '@icosa/kernel'

/** What an update or a deletion answers. */
export const done = () => ok({ code: 'Success' as const, message: 'Operation Successful' })

/** A part of a list that is in memory. */
export const paged = <T>(all: readonly T[], { skip, take }: { readonly skip: number; readonly take: number }): T[] =>
  all.slice(skip, skip + take)

/** The reply to an import has a mere id as its body: members of the file that mean nothing here are named in a header. */
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
