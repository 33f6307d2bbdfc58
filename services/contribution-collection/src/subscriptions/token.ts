import type { SealedColumn } from '@icosa/kernel'

/** Signing secrets of webhooks. */
export const sealedToken = {
  table: 'contribution_collection.subscriptions',
  column: 'token',
  context: 'contribution-collection subscription',
} satisfies SealedColumn
