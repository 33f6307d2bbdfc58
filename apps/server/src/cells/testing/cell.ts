import { type Database, openDatabase } from '@icosa/kernel'
import { createTestDatabase } from '@icosa/testing'
import { addCell } from '../add.ts'
import { type Directory, openDirectory } from '../directory.ts'
import { reserveName } from '../reserve.ts'

export interface TestCell extends AsyncDisposable {
  readonly url: string
  readonly database: Database
  readonly directory: Directory
  readonly cell: string
}

/** A database of a cell, with the kernel's schema only, whose nodes reach the directory at this address. */
export async function openTestCell(cell: string, directoryUrl: string): Promise<TestCell> {
  const { url, ...created } = await createTestDatabase([])
  const directory = openDirectory({ url: directoryUrl, onError: () => {} })
  const database = openDatabase({
    url,
    maxConnections: 8,
    onError: () => {},
    reserveName: reserveName(directory, cell),
  })
  return {
    ...{ url, database, directory, cell },
    async [Symbol.asyncDispose]() {
      await database.close()
      await directory.close()
      await created[Symbol.asyncDispose]()
    },
  }
}

/** Adds it to the directory. */
export const enter = ({ cell, url, database }: TestCell, directory: Database, labels = {}, capacity = 100) =>
  addCell(directory, database, {
    ...{ name: cell, url: `https://${cell}.example.com`, databaseUrl: url, labels, capacity },
    ...{ isHome: false, now: new Date('2026-01-01') },
  })
