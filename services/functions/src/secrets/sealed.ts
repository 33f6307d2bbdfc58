import { type SealedColumn, sealingContext } from '@icosa/kernel'

export const secretColumn: SealedColumn = {
  table: 'functions.secrets',
  column: 'sealed',
  context: 'functions/{id}',
}

/** How a secret is bound to its row. */
export const secretPlace = (id: string) => sealingContext(secretColumn, { id })
