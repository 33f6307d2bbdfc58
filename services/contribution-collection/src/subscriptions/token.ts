import type { SealedColumn } from '@icosa/kernel'

/** Where the secrets lie by which webhooks are signed. */
export const sealedToken = {
  table: 'contribution_collection.subscriptions',
  column: 'token',
  context: 'contribution-collection subscription',
} satisfies SealedColumn
