import type { Retention } from '@icosa/kernel'

const books = 'the books of a bank are kept'

export const retention: Retention = {
  ledger_accounts: books,
  ledger_balances: 'as many slots as an account once had payers at the same moment, at most 257',
  ledger_transactions: books,
  ledger_postings: books,
  ledger_closings: books,
  ledger_holds: books,
  server_keys: 'one',
  users: 'one per object that the tenant creates',
  api_keys: 'one of a user',
  devices: 'as many as users register',
  sessions: { column: 'expires_at', keepDays: 30 },
  house_accounts: 'one of a purpose and currency',
  monetary_accounts: books,
  payments: books,
  labels: 'as many as payments have shown, each once',
  records: books,
  attachments: books,
  avatars: 'one per object that users create',
  card_pins: 'one of a card',
  events: { column: 'created_at', keepDays: 400 },
}
