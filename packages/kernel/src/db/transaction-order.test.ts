import { completeBefore, openDatabase, sql, transactionOrder } from '@icosa/kernel'
import { createTestDatabase } from '@icosa/testing'
import { expect, test } from 'vitest'

test('rows of a tenant that has arrived from another cell are visible at once, and precede new ones', async () => {
  await using test = await createTestDatabase([])
  const database = openDatabase({ url: test.url, maxConnections: 4, onError: () => {} })
  await using _ = { [Symbol.asyncDispose]: () => database.close() }
  await database.script(`
    create table public.lines (tenant text, xact xid8, number bigint generated always as identity, text text)`)
  const write = (db: Pick<typeof database, 'run'>, tenant: string, text: string) =>
    db.run(sql`
      insert into public.lines (tenant, xact, text)
      select tenant, ${transactionOrder(sql`written.tenant`)}, text from (values (${tenant}, ${text})) as written(tenant, text)`)
  const linesOf = async (tenant: string) =>
    (
      await database.many<{ text: string }>(sql`
        select text from public.lines where tenant = ${tenant} and xact < ${completeBefore(sql`${tenant}`)}
        order by xact, number`)
    ).map(({ text }) => text)

  await write(database, 'ada', 'new to the cell')
  expect(await linesOf('ada')).toEqual(['new to the cell'])

  // The other cell is far ahead.
  const elsewhere = 10_000_000
  await database.run(sql`insert into icosa.tenants (id, created_at) values ('ada', now()), ('bob', now())`)
  await database.run(sql`update public.lines set xact = (xact::text::bigint + ${elsewhere})::text::xid8`)
  expect(await linesOf('ada'), 'as if they were not committed yet').toEqual([])
  await database.run(sql`update icosa.tenants set earlier_transactions = ${elsewhere + 1_000} where id = 'ada'`)
  expect(await linesOf('ada')).toEqual(['new to the cell'])
  await database.transaction(async (first) => {
    await write(first, 'ada', 'of a transaction that began earlier')
    await write(database, 'ada', 'second')
    await write(database, 'bob', 'of another tenant')
    expect(await linesOf('ada'), 'an earlier row may still appear').toEqual(['new to the cell'])
  })
  expect(await linesOf('ada')).toEqual(['new to the cell', 'of a transaction that began earlier', 'second'])
  expect(await linesOf('bob')).toEqual(['of another tenant'])
})
