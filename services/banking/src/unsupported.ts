import type { Gaps } from '@icosa/module'

export const unsupported = {
  operations: {
    name: 'operations that are described and not built',
    answer: 501,
    instead: '`icosa openapi banking` lists all that are built.',
  },
  strangers: {
    name: 'payments and requests to an address that nobody here has',
    answer: 400,
    instead: 'The original sends a link. Here, somebody must have the address; an IBAN of another bank can be paid.',
  },
  otherBanks: {
    name: 'other banks',
    answer: 'differs',
    instead: "What is paid to their IBANs goes into an account of the bank's own. Nothing comes from them.",
  },
  balanceAfter: {
    name: '`balance_after_mutation`',
    answer: 'differs',
    instead: 'It is what the payment saw: payments into one account at the same moment do not see each other.',
  },
  extension: {
    name: 'sessions that are extended by their use',
    answer: 'differs',
    instead: "A session ends `session_timeout` after it was opened, by the platform's clock.",
  },
  replays: {
    name: 'signatures over headers',
    answer: 'differs',
    instead: 'A signature covers the body. What keeps a payment from being made twice is the request id.',
  },
  encryption: {
    name: 'encrypted requests, which some clients send about cards',
    answer: 400,
    instead: 'Send the body as it is; what protects it on the way is TLS.',
  },
  dailyLimit: {
    name: '`daily_limit` and `daily_limit_without_confirmation_login`',
    answer: 'no effect',
    instead: 'They are shown. The limits of cards are enforced.',
  },
  accepts: {
    name: '`number_of_required_accepts` above 1',
    answer: 400,
    instead: 'A draft is accepted by one.',
  },
  amounts: {
    name: '`amount_responded` other than what was asked for',
    answer: 400,
    instead: 'A request is paid as a whole.',
  },
  jointOwners: {
    name: 'a second owner of an account (`all_co_owner`)',
    answer: 501,
    instead: 'An account belongs to the user who opened it, who is its only co-owner.',
  },
  oauthUsers: {
    name: 'what an OAuth client may do, and the id of its `UserApiKey`',
    answer: 'differs',
    instead:
      'It reads, asks for money and prepares drafts, and may do nothing else. The id is that of the user who lets it act.',
  },
  links: {
    name: '`allow_vendorto` and `allow_vendorme`',
    answer: 'no effect',
    instead: 'No link is made for those who have no account here. A tab has a page of its own.',
  },
  translations: {
    name: '`error_description_translated` in the language of the caller',
    answer: 'differs',
    instead: 'It is in English.',
  },
  activation: {
    name: 'the activation code of a card',
    answer: 'differs',
    instead: 'No card comes by mail: the code is the id of the card, in six digits.',
  },
  silentCategories: {
    name: 'callbacks of the categories CHAT, IDEAL, MONETARY_ACCOUNT_PROFILE, OAUTH, PROMOTION, SCHEDULE_STATUS, SHARE, SOFORT, SUPPORT, TAB_RESULT and USER_APPROVAL',
    answer: 'no effect',
    instead: 'They are accepted and listed; nothing of the kind happens here.',
  },
  directDebits: {
    name: '`sdd_expiration_action`',
    answer: 'no effect',
    instead: 'It is shown. There are no direct debits.',
  },
  closedUsers: {
    name: 'closing a user (`status` CANCELLED)',
    answer: 501,
    instead: 'Close its accounts; a user of the sandbox costs nothing.',
  },
  userFilters: {
    name: '`notification_filters` of a user',
    answer: 'never',
    instead: 'They are listed at `notification-filter-url`.',
  },
} as const satisfies Gaps
