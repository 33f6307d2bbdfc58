import { readMails } from '@icosa/delivery/mail-folder'
import { mailFolder } from '@icosa/delivery/mail-settings'
import { openDatabase } from '@icosa/kernel'
import type { JournalEntry } from '@icosa/module'
import type { Chosen } from '../choose.ts'

export interface JournalSection {
  readonly title: string
  /** Undefined for a section that several services share. */
  readonly service?: string
  /** Latest first. */
  readonly entries: readonly JournalEntry[]
}

export type ReadJournal = () => Promise<readonly JournalSection[]>

const most = 50
const tenant = 'dev'

/** Reads recent activity on demand; keeps no connection open in between. */
export function journalOf(chosen: Chosen, databaseUrl: string, dataDirectory: string): ReadJournal {
  return async () => {
    const mails = await readMails(mailFolder(dataDirectory), most)
    const entries = mails.map(({ at, to, subject, text }) => ({ at, what: `to ${to}: ${subject}`, text }))
    const database = openDatabase({ url: databaseUrl, maxConnections: 1, onError: () => {} })
    try {
      const sections: JournalSection[] = [{ title: 'Mail', entries }]
      for (const { title, service, read } of await chosen.journals())
        sections.push({ title, service, entries: await read(database.reading, tenant, most) })
      return sections
    } finally {
      await database.close()
    }
  }
}
