import type { MailSettings } from '@icosa/delivery/mail'
import { mailSettings } from '@icosa/delivery/mail-settings'
import { group, list, matching, oneOf, setting, type ValuesOf, wholeNumber } from '@icosa/settings'
import type { Fee } from './invoices/fees.ts'

const fee = matching(
  /^(account|card)=(?!0+\.00$)(\d{1,6})\.(\d\d)$/,
  { is: 'account or card with its price', example: 'account=2.99,card=1.50' },
  ([, of, euros, cents]): Fee => ({ of: of as Fee['of'], cents: BigInt(`${euros}${cents}`) }),
)

/** Banking works without mail. */
const { required: _, ...smtpUrl } = mailSettings.smtpUrl

export const settings = group({
  sandboxTenant: setting(
    'ICOSA_BANKING_SANDBOX',
    matching(/^[\w.@-]{1,100}$/, { is: 'the name of a tenant', example: 'sandbox' }, ([tenant]) => tenant),
    {
      development: 'dev',
      otherwise: 'none: they need a key',
      meaning: 'The tenant in which anonymous callers may create sandbox users, as in the original.',
    },
  ),
  rates: setting('ICOSA_BANKING_RATES', oneOf('original', 'none'), {
    default: 'original',
    meaning:
      "Whether sessions have the original's rate limits (3 GET, 5 POST or 2 PUT in 3 seconds) besides the platform's.",
  }),
  anonymousPerMinute: setting('ICOSA_BANKING_ANONYMOUS', wholeNumber({ from: 1 }), {
    default: '30',
    development: '1000',
    meaning:
      'Requests a minute that one address may send to one node without a session: for installations, devices, sessions and sandbox users.',
  }),
  ...mailSettings,
  smtpUrl: {
    ...smtpUrl,
    otherwise: 'none: users cannot choose mail; in development mode files in the folder `mail` of the data folder',
  },
  fees: setting('ICOSA_BANKING_FEES', list(fee), {
    otherwise: 'nothing: the bank charges no fees and writes no invoices',
    meaning: 'Monthly price of an account and of a card, in euros. Invoices are written at the end of each month.',
  }),
})

type Optional = Omit<ValuesOf<typeof settings>, 'anonymousPerMinute' | keyof typeof mailSettings>

export interface BankSettings extends Partial<Optional> {
  readonly mail: MailSettings
  readonly anonymousPerMinute: number
  /** Base of the URLs in responses. */
  readonly publicUrl: string
}

export const defaultSettings: BankSettings = {
  publicUrl: 'http://127.0.0.1:4000/banking',
  rates: 'original',
  anonymousPerMinute: 30,
  mail: { from: 'Icosa <no-reply@localhost>', transport: { kind: 'none' } },
}
