import { group, list, matching, oneOf, setting, type ValuesOf, wholeNumber } from '@icosa/settings'
import type { Fee } from './invoices/fees.ts'

const fee = matching(
  /^(account|card)=(?!0+\.00$)(\d{1,6})\.(\d\d)$/,
  { is: 'account or card with what it costs', example: 'account=2.99,card=1.50' },
  ([, of, euros, cents]): Fee => ({ of: of as Fee['of'], cents: BigInt(`${euros}${cents}`) }),
)

/** What an operator decides about the bank. */
export const settings = group({
  sandboxTenant: setting(
    'ICOSA_BANKING_SANDBOX',
    matching(/^[\w.@-]{1,100}$/, { is: 'the name of a tenant', example: 'sandbox' }, ([tenant]) => tenant),
    {
      development: 'dev',
      otherwise: 'nobody: they need a key',
      meaning: 'In whose bank strangers may make users of the sandbox, as they may at the original.',
    },
  ),
  rates: setting('ICOSA_BANKING_RATES', oneOf('original', 'none'), {
    default: 'original',
    meaning: "Whether sessions have the original's rates (3 GET, 5 POST or 2 PUT in 3 seconds) beside the platform's.",
  }),
  anonymousPerMinute: setting('ICOSA_BANKING_ANONYMOUS', wholeNumber({ from: 1 }), {
    default: '30',
    development: '1000',
    meaning:
      'How many requests a minute one address may send to one node without a session: for installations, devices, sessions and users of the sandbox.',
  }),
  fees: setting('ICOSA_BANKING_FEES', list(fee), {
    otherwise: 'nothing: the bank charges no fees and writes no invoices',
    meaning:
      'What the bank charges for an account and for a card, in euros a month. It writes invoices when a month is over.',
  }),
})

export interface BankSettings extends Partial<Omit<ValuesOf<typeof settings>, 'anonymousPerMinute'>> {
  readonly anonymousPerMinute: number
  /** Where callers reach the service, for addresses that are part of its replies. */
  readonly publicUrl: string
}

export const defaultSettings: BankSettings = {
  publicUrl: 'http://127.0.0.1:4000/banking',
  rates: 'original',
  anonymousPerMinute: 30,
}
