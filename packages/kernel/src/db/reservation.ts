/** A name that is to be unique over all cells, as in icosa.names. Of the purpose `tag`, it is that of a new tenant. */
export interface NewName {
  readonly purpose: string
  readonly name: string
  readonly tenant: string
}

/**
 * Reserves a name for this cell in the directory of cells. Rejects with a failure if it is taken, and with an outage if
 * the directory is away.
 */
export type ReserveName = (name: NewName) => Promise<void>

/** SQLSTATE with which the database refuses a name that is not reserved yet. */
const unreservedState = 'IC002'

/** Returns the name if a transaction failed since it has to be reserved first. */
export function unreservedName(error: unknown): NewName | undefined {
  const { code, detail } = error as { readonly code?: string; readonly detail?: string }
  return code === unreservedState ? JSON.parse(detail ?? '') : undefined
}

const maxNames = 100

/** Runs a transaction, again after each name that it needs was reserved. Nothing is locked while the directory is asked. */
export async function reservingNames<T>(reserve: ReserveName, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await run()
    } catch (error) {
      const name = unreservedName(error)
      if (!name || attempt > maxNames) throw error
      await reserve(name)
    }
}
