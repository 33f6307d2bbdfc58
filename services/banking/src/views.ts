import type { View, Views } from '@icosa/contract'
import { notes } from './notes/contract.ts'

/** Replies are lists of wrappers with one member, named after the type of the item. */
const bank = (title: string, about: string, columns: string): View => ({
  title,
  about,
  items: 'Response.*',
  columns: columns.split(' '),
})

/** Notes, on everything that can have some. */
const noteViews = Object.fromEntries(
  Object.keys(notes)
    .filter((id) => id.startsWith('listNote'))
    .map((id) => [
      id,
      bank(
        id.includes('Text') ? 'Notes' : 'Attached files',
        'Notes for yourself.',
        id.includes('Text') ? 'content' : 'description',
      ),
    ]),
)

export const views: Views = {
  group: 'Money',
  resources: {
    listUsers: {
      ...bank('Customers', 'A customer of the bank: a person or a company.', 'display_name status legal_name'),
      get: 'getUser',
      create: 'createSandboxUserPerson',
      invitation: 'Open a bank, with a first customer',
    },
    listMonetaryAccounts: bank(
      'Accounts',
      'Every account of the customer.',
      'description status money:balance currency created',
    ),
    listBankAccounts: {
      ...bank('Bank accounts', 'An account for payments.', 'description status money:balance currency created'),
      example: { currency: 'EUR', description: 'Household' },
    },
    listSavingsAccounts: {
      ...bank('Savings accounts', 'An account with a goal.', 'description status money:balance created'),
      example: { currency: 'EUR', description: 'Holidays' },
    },
    listJointAccounts: bank(
      'Joint accounts',
      'An account of several people.',
      'description status money:balance created',
    ),
    listPayments: {
      ...bank(
        'Payments',
        'Money that came or went.',
        'description money:amount type counterparty_alias.display_name created',
      ),
      example: {
        amount: { value: '1.00', currency: 'EUR' },
        counterparty_alias: { type: 'EMAIL', value: 'ada@example.com' },
        description: 'Lunch',
      },
    },
    listPaymentBatches: bank('Payment batches', 'Payments that are made together.', 'id'),
    listRequestInquiries: {
      ...bank('Requests sent', 'Requests for money, to others.', 'description status money:amount_inquired created'),
      example: {
        amount_inquired: { value: '500.00', currency: 'EUR' },
        counterparty_alias: { type: 'EMAIL', value: 'sugardaddy@bank.example' },
        description: 'Please',
        allow_vendorme: false,
      },
    },
    listRequestInquiryBatches: bank('Request batches', 'Requests that are sent together.', 'id'),
    listRequestResponses: bank(
      'Requests received',
      'Requests for money, from others.',
      'description status money:amount_inquired created',
    ),
    listDraftPayments: bank('Draft payments', 'Payments that wait for approval.', 'id status created'),
    listSchedulePayments: bank('Scheduled payments', 'Payments that are made later, or again and again.', 'id status'),
    listSchedules: bank('Schedules', 'When scheduled payments are made.', 'id status time_start recurrence_unit'),
    listScheduleInstances: bank('Occurrences', 'Payments that a schedule made.', 'id state time_start'),
    listCards: {
      ...bank('Cards', 'Cards of the customer.', 'name_on_card status type created'),
      create: 'createCardDebit',
    },
    listMasterCardActions: bank(
      'Card payments',
      'Payments by card.',
      'description decision money:amount_local created',
    ),
    listTabs: bank('Payment links', 'Links with which others can pay.', 'id status created'),
    listFundraiserProfiles: bank('Fundraisers', 'Pages where people give money.', 'description color'),
    listCategories: bank('Categories', 'Categories of payments.', 'category description status type'),
    listOauthClients: bank('Applications', 'Applications that act for customers.', 'display_name status client_id'),
    listCallbackUrls: bank('Callback addresses', 'Where people return to after consent.', 'url created'),
    listOauthGrants: bank('Consents', 'Applications that may act for the customer.', 'id status'),
    listUserFilters: bank('Notifications', 'Addresses that are called at events.', 'category notification_target'),
    listAccountFilters: bank('Notifications', 'Addresses that are called at events.', 'category notification_target'),
    listEvents: bank('Events', 'What happened, in order.', 'id action created'),
    listStatements: {
      ...bank(
        'Statements',
        'Statements of the account as files.',
        'id status statement_format date_start date_end created',
      ),
      example: {
        statement_format: 'PDF',
        date_start: '2026-01-01',
        date_end: '2026-01-31',
        regional_format: 'EUROPEAN',
      },
    },
    listUserInvoices: bank('Invoices', 'Invoices of the bank.', 'invoice_number status created'),
    listInvoices: bank('Invoices', 'Invoices of the bank.', 'invoice_number status created'),
    listDevices: bank('Devices', 'Devices that have registered.', 'description status ip created'),
    ...noteViews,
  },
  others: [
    ...['listInstallations', 'listServerPublicKeys', 'listDeviceServers', 'listUserCompanyNames', 'listLegalNames'],
    ...['listCardNames', 'listSubscriptions'],
  ],
}
