import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@icosa/telemetry'
import { expect, test } from 'vitest'
import { readMails } from './folder.ts'
import { deliverBy } from './transport.ts'

const log = createLog({ level: 'silent' })

test('reads mails of development mode as they were written, latest first', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'icosa-mail-'))
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
  expect(await readMails(join(folder, 'missing'), 10)).toEqual([])

  const deliver = deliverBy({ from: 'Icosa <icosa@example.com>', transport: { kind: 'directory', path: folder } })
  const link = `https://example.com/confirm?token=${'x'.repeat(200)}&then=/a=b`
  const mails = [
    { subject: 'Plain', text: `Follow\n\n${link}\n` },
    {
      subject: 'Grüße aus 東京, und noch viel mehr davon, damit die Zeile umbrochen wird – ja',
      text: `Schöne Grüße – ${link}`,
    },
    { subject: '<b>?= not markup', text: '日本語だけの本文。'.repeat(40) },
  ]
  for (const [number, { subject, text }] of mails.entries())
    await deliver(
      { id: `m${number}`, to: 'ada@example.com', subject, text, html: '<p>else</p>', date: new Date() },
      log,
    )

  const stored = await readMails(folder, 10)
  const bySubject = (a: { subject: string }, b: { subject: string }) => (a.subject < b.subject ? -1 : 1)
  expect(stored.map(({ to }) => to)).toEqual(mails.map(() => 'ada@example.com'))
  expect(stored.map(({ subject, text }) => ({ subject, text })).sort(bySubject)).toEqual(
    mails.map(({ subject, text }) => ({ subject, text: text.trim() })).sort(bySubject),
  )
  expect(await readMails(folder, 2)).toHaveLength(2)
})
