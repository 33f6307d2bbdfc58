import { type SealedColumn, sealingContext } from '@icosa/kernel'

export const secretColumn: SealedColumn = {
  table: 'functions.secrets',
  column: 'sealed',
  context: 'functions/{id}',
}

/** Binds a secret to its row. */
export const secretContext = (id: string) => sealingContext(secretColumn, { id })
