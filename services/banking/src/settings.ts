import { group, matching, oneOf, setting, type ValuesOf } from '@icosa/settings'

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
})

export interface BankSettings extends Partial<ValuesOf<typeof settings>> {
  /** Where callers reach the service, for addresses that are part of its replies. */
  readonly publicUrl: string
}

export const defaultSettings: BankSettings = { publicUrl: 'http://127.0.0.1:4000/banking', rates: 'original' }
