import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bank, type Customer, euros, idOf, openBank } from '../testing/bank.ts'

let bank: Bank
let ada: Customer

beforeAll(async () => {
  bank = await openBank()
  await bank.app.clock.move({ to: new Date('2026-03-01T10:00:00Z') })
  ada = await bank.customer('100.00')
  const bram = await bank.customer()
  await bank.app.clock.move({ to: new Date('2026-03-05T10:00:00Z') })
  const order = { amount: euros('12.50'), counterparty_alias: bram.pointer, description: '=SUM(A1), "quoted" é' }
  await ada.ask.createPayment({ params: ada.account, body: order })
})
afterAll(() => bank[Symbol.asyncDispose]())

async function content(statement_format: 'CSV' | 'MT940' | 'PDF', date_start = '2026-03-02') {
  const body = { statement_format, date_start, date_end: '2026-03-05', regional_format: 'UK_US' } as const
  const id = idOf(await ada.ask.createStatement({ params: ada.account, body }))
  const { body: read } = await ada.ask.getStatementContent({ params: { ...ada.account, 'customer-statementID': id } })
  return typeof read === 'string' ? (read as string) : Buffer.from(read as Uint8Array).toString('latin1')
}

test('CSV has a line for each payment, and no formulas', async () => {
  const [, line, ...rest] = (await content('CSV')).split('\r\n')
  expect(line).toMatch(
    /^2026-03-05,-12\.50,"NL\d\dICSA\d{10}","NL\d\dICSA\d{10}","[^"]+","'=SUM\(A1\), ""quoted"" é",87\.50$/,
  )
  expect(rest).toEqual([''])
  expect((await content('CSV', '2026-03-01')).split('\r\n')).toHaveLength(4)
})

test('MT940 goes from the balance before to the balance after', async () => {
  const message = await content('MT940')
  expect(message).toContain(':60F:C260302EUR100,00')
  expect(message).toContain(':61:2603050305D12,50NTRF')
  expect(message).toContain(':62F:C260305EUR87,50')
})

test('PDF is one, with offsets that are right', async () => {
  const pdf = await content('PDF')
  const start = Number(/startxref\n(\d+)/.exec(pdf)?.[1])
  expect(pdf.slice(start, start + 4)).toBe('xref')
  const offsets = [...pdf.slice(start).matchAll(/^(\d{10}) 00000 n/gm)].map(([, at]) => Number(at))
  for (const [nth, at] of offsets.entries()) expect(pdf.slice(at, at + 8)).toContain(`${nth + 1} 0 obj`)
  expect(pdf).toContain('Closing balance 87.50')
})

test('days in the wrong order, or that are none, are refused', async () => {
  const make = (date_start: string, date_end: string) =>
    ada.ask.createStatement({ params: ada.account, body: { statement_format: 'CSV', date_start, date_end } })
  await expect(make('2026-03-02', '2026-03-01')).rejects.toMatchObject({ status: 400 })
  await expect(make('2026-13-01', '2026-13-02')).rejects.toMatchObject({ status: 400 })
})
