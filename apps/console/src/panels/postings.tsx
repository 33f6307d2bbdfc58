import type { Reader, Row } from '../data/panel.ts'
import { textOf, timeOf } from '../data/values.ts'
import { Time } from '../parts/values.tsx'

interface Posting {
  readonly row: Row
  readonly time: Date
  readonly amount: number
  /** After it. */
  readonly balance: number
}

/** Postings, newest first, with the balance after each: backwards from the present balance. */
function postingsOf(reader: Reader): Posting[] {
  const rows = reader.rows('rows').flatMap((row) => {
    const time = timeOf(reader.of(row, 'time'))
    const amount = Number(reader.of(row, 'amount'))
    return time && Number.isFinite(amount) ? [{ row, time, amount }] : []
  })
  let balance = Math.round(Number(reader.value('balance') ?? 0) * 100)
  return rows
    .toSorted((a, b) => b.time.getTime() - a.time.getTime())
    .map((posting) => {
      const after = balance
      balance -= Math.round(posting.amount * 100)
      return { ...posting, balance: after / 100 }
    })
}

const width = 400
const height = 120

/** The balance over time, as steps. */
function Balance({ postings }: { readonly postings: readonly Posting[] }) {
  const oldest = postings.at(-1)
  const newest = postings[0]
  if (!oldest || !newest || postings.length < 2) return null
  const before = oldest.balance - oldest.amount
  const levels = [before, ...postings.map(({ balance }) => balance), 0]
  const [min, max] = [Math.min(...levels), Math.max(...levels)]
  const span = newest.time.getTime() - oldest.time.getTime()
  const y = (balance: number) => height - ((balance - min) / (max - min || 1)) * height
  const inOrder = postings.toReversed()
  // Postings of one moment are drawn one after the other.
  const x = (time: Date, index: number) =>
    span > 0 ? ((time.getTime() - oldest.time.getTime()) / span) * width : (index / (inOrder.length - 1)) * width
  const steps = inOrder.map(({ time, balance }, index) => `H${x(time, index)}V${y(balance)}`).join('')
  return (
    <svg className="balance" viewBox={`0 -6 ${width} ${height + 12}`} role="img" aria-label="Balance over time">
      <line x1="0" x2={width} y1={y(0)} y2={y(0)} />
      <path d={`M0 ${y(before)}${steps}H${width}`} />
    </svg>
  )
}

/** An account: its balance over time, and what came and went. */
export default function Postings({ reader }: { readonly reader: Reader }) {
  const postings = postingsOf(reader)
  if (postings.length === 0) return <p className="muted">Nothing was posted yet.</p>
  return (
    <>
      <Balance postings={postings} />
      <div className="scroll" role="region" aria-label={`${reader.panel.title} in order`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">Amount</th>
              <th scope="col">Balance</th>
              <th scope="col">When</th>
            </tr>
          </thead>
          <tbody>
            {postings.map(({ row, time, amount, balance }, index) => (
              <tr key={index}>
                <td data-label="What">
                  {textOf(reader.of(row, 'description'))}{' '}
                  <span className="muted">{textOf(reader.of(row, 'counterparty'))}</span>
                </td>
                <td data-label="Amount" className="number">
                  {amount.toFixed(2)}
                </td>
                <td data-label="Balance" className="number">
                  {balance.toFixed(2)}
                </td>
                <td data-label="When">
                  <Time value={time.toISOString()} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
