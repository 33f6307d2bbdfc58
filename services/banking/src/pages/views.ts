import { attribute, type Html, html, type Page } from '@icosa/pages'
import type { Account } from '../accounts/store.ts'
import { formatAmount } from '../ledger/money.ts'
import { page } from './layout.ts'

export interface PaymentRequest {
  readonly to: Account
  /** Undefined if the payer chooses the amount. */
  readonly amount: bigint | undefined
  readonly currency: string
  readonly description: string
  readonly redirectUrl: string | null
}

const signs: Readonly<Record<string, string>> = { EUR: '€', GBP: '£', USD: '$' }
const money = (amount: bigint, currency: string) =>
  signs[currency]
    ? `${signs[currency]}${formatAmount(amount, currency)}`
    : `${formatAmount(amount, currency)} ${currency}`

function heading({ to, description }: PaymentRequest): Html {
  const [letter = '?'] = to.userName
  return html`<span class="mark" aria-hidden="true">${letter.toUpperCase()}</span>
<div><h1><bdi>${to.userName}</bdi> requests a payment</h1>
${description !== '' && html`<p class="muted">${description}</p>`}</div>`
}

export const keyField = (
  hasProblem: boolean,
) => html`<div class="field"><label for="key">Key of your sandbox user</label>
<input id="key" name="key" type="password" autocomplete="off" autocapitalize="none" spellcheck="false" required aria-describedby="key-hint"${attribute(
  'aria-invalid',
  hasProblem && 'true',
)}>
<p class="muted" id="key-hint">It begins with sandbox_. This bank is a sandbox: the money is fictitious.</p></div>`

const amountField = (value: string) => html`<div class="field"><label for="amount">Amount</label>
<input id="amount" name="amount" inputmode="decimal" autocomplete="off" required value="${value}"></div>`

export function requestPage(
  request: PaymentRequest,
  { problem, amount = '' }: { problem?: string; amount?: string } = {},
): Page {
  const { amount: fixed, currency } = request
  return page({
    title: `Pay ${request.to.userName}`,
    problem,
    content: html`${heading(request)}
${fixed !== undefined && html`<p class="amount">${money(fixed, currency)}</p>`}
<form method="post">
${fixed === undefined && amountField(amount)}
${keyField(problem !== undefined)}
<button name="step" value="continue">Continue</button>
</form>`,
  })
}

export interface Confirmation {
  readonly from: Account
  readonly amount: bigint
  readonly key: string
  /** Idempotency key: a form submitted twice pays once. */
  readonly once: string
}

export function confirmPage(request: PaymentRequest, { from, amount, key, once }: Confirmation): Page {
  const { currency, to } = request
  return page({
    title: `Confirm the payment to ${to.userName}`,
    content: html`<h1>Confirm the payment</h1>
<p class="amount">${money(amount, currency)}</p>
<dl><div><dt>To</dt><dd><bdi>${to.userName}</bdi></dd></div>
<div><dt>From</dt><dd><bdi>${from.userName}</bdi>, ${from.iban}</dd></div>
${request.description !== '' && html`<div><dt>For</dt><dd>${request.description}</dd></div>`}</dl>
<form method="post">
<input type="hidden" name="key" value="${key}"><input type="hidden" name="once" value="${once}">
<input type="hidden" name="amount" value="${formatAmount(amount, currency)}">
<button name="step" value="confirm">Pay ${money(amount, currency)}</button>
<a class="button secondary" href="?">Back</a>
</form>`,
  })
}

export function receiptPage(
  request: PaymentRequest,
  { from, amount, id, at }: { from: Account; amount: bigint; id: string; at: Date },
): Page {
  const { redirectUrl, currency, to } = request
  return page({
    title: `Paid to ${to.userName}`,
    content: html`<h1>Paid</h1>
<p class="amount">${money(amount, currency)}</p>
<dl><div><dt>To</dt><dd><bdi>${to.userName}</bdi></dd></div>
<div><dt>From</dt><dd>${from.iban}</dd></div>
<div><dt>When</dt><dd><time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace('T', ' ')} UTC</time></dd></div>
<div><dt>Payment</dt><dd>${id}</dd></div></dl>
${redirectUrl !== null && html`<a class="button" href="${redirectUrl}" rel="noreferrer">Back to <bdi>${to.userName}</bdi></a>`}`,
  })
}

export const closedPage = (title: string, text: string): Page =>
  page({ title, content: html`<h1>${title}</h1><p>${text}</p>` })
