import type { Gaps } from '@icosa/module'

export const unsupported = {
  currencies: {
    name: 'currency conversion and transfers abroad (`currency-conversion`, `currency-cloud-...`, `transferwise-...`)',
    answer: 501,
    instead: 'Every account has one currency, and only payments within it are made.',
  },
  schemes: {
    name: 'other payment schemes (`sofort-...`, `token-qr-...`, `translink-...`, `switch-service-...`, `card-credit`, `registry-settlement`)',
    answer: 501,
    instead: 'Payments, requests, tabs, cards and iDEAL.',
  },
  licences: {
    name: 'access of licensed third parties (`payment-service-provider-...`)',
    answer: 501,
    instead: 'An OAuth client.',
  },
  reports: {
    name: 'reports other than statements and invoices (`insights`, `limit`, `export-...`, `event/.../statement`)',
    answer: 501,
    instead: 'Statements of any period, as CSV, MT940 or PDF.',
  },
  app: {
    name: "what only the original's own app uses (rewards, chat, announcements, `challenge-request`, `certificate-pinned`)",
    answer: 501,
    instead: 'Nothing: no API client needs it.',
  },
  operations: {
    name: 'other described operations that are not supported',
    answer: 501,
    instead: '`icosa openapi banking` lists the supported ones.',
  },
  unknownPayees: {
    name: 'payments and requests to an unknown address',
    answer: 400,
    instead: 'The original sends a link. Here, the address must belong to a user; an IBAN of another bank can be paid.',
  },
  otherBanks: {
    name: 'other banks',
    answer: 'differs',
    instead:
      'Payments to their IBANs go to an account of the bank itself. Money comes from four fictitious banks, by `ideal-merchant-transaction`: PAYSNL2A pays after a minute, SLOWNL2A after a day, DENYNL2A refuses, NONENL2A never answers.',
  },
  balanceAfter: {
    name: '`balance_after_mutation`',
    answer: 'differs',
    instead: 'Concurrent payments into one account do not include each other.',
  },
  extension: {
    name: 'extension of sessions by use',
    answer: 'differs',
    instead: 'A session ends `session_timeout` after it was opened.',
  },
  replays: {
    name: 'signatures over headers',
    answer: 'differs',
    instead: 'A signature covers the body. Request ids prevent duplicate payments.',
  },
  encryption: {
    name: 'encrypted requests, which some clients send for cards',
    answer: 400,
    instead: 'Send the body unencrypted, over TLS.',
  },
  dailyLimit: {
    name: '`daily_limit` and `daily_limit_without_confirmation_login`',
    answer: 'no effect',
    instead: 'Stored and returned. Card limits are enforced.',
  },
  accepts: {
    name: '`number_of_required_accepts` above 1',
    answer: 400,
    instead: 'One acceptance is enough.',
  },
  amounts: {
    name: '`amount_responded` other than the requested amount',
    answer: 400,
    instead: 'Requests are paid in full.',
  },
  mutualShares: {
    name: 'mutual shares (`share_type` MUTUAL), and cards for those with whom an account is shared',
    answer: 501,
    instead: 'Make one invitation each way.',
  },
  jointOwners: {
    name: 'a second owner of an account (`all_co_owner`)',
    answer: 501,
    instead: 'An account belongs to the user who opened it, who is its only co-owner.',
  },
  oauthUsers: {
    name: 'permissions of an OAuth client, and the id of its `UserApiKey`',
    answer: 'differs',
    instead: 'It may only read, request money and prepare drafts. The id is that of the user who authorized it.',
  },
  links: {
    name: '`allow_vendorto` and `allow_vendorme`',
    answer: 'no effect',
    instead: 'No links for payers without an account. A tab has its own page.',
  },
  translations: {
    name: '`error_description_translated` in the language of the caller',
    answer: 'differs',
    instead: 'It is in English.',
  },
  phones: {
    name: 'push notifications on a phone',
    answer: 'differs',
    instead: 'In the sandbox, `push-notification` lists what the phone of a user would show.',
  },
  replacedCodes: {
    name: 'encrypted CVC2s',
    answer: 'differs',
    instead: 'They are returned as plain text, over TLS.',
  },
  sharedViews: {
    name: 'what invited users may do with a shared account',
    answer: 'differs',
    instead:
      'They read the account and its payments, pay and draft payments, as granted. Events are visible only with the balance. Everything else is up to the owner.',
  },
  activation: {
    name: 'the activation code of a card',
    answer: 'differs',
    instead: 'The code is the id of the card, in six digits.',
  },
  silentCategories: {
    name: 'callbacks of the categories CHAT, MONETARY_ACCOUNT_PROFILE, OAUTH, PROMOTION, SCHEDULE_STATUS, SOFORT, SUPPORT, TAB_RESULT and USER_APPROVAL',
    answer: 'no effect',
    instead: 'Accepted and listed, but never published.',
  },
  whitelists: {
    name: 'direct debits (`whitelist-sdd...`, `whitelist/...`)',
    answer: 501,
    instead: 'A recurring scheduled payment.',
  },
  directDebits: {
    name: '`sdd_expiration_action`',
    answer: 'no effect',
    instead: 'Stored and returned. There are no direct debits.',
  },
  closedUsers: {
    name: 'closing a user (`status` CANCELLED)',
    answer: 501,
    instead: 'Close its accounts instead.',
  },
  userFilters: {
    name: '`notification_filters` of a user',
    answer: 'never',
    instead: 'They are listed at `notification-filter-url`.',
  },
} as const satisfies Gaps
