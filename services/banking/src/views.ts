import type { Panel, View, Views } from '@icosa/contract'
import { sugarDaddies } from './names.ts'
import { notes } from './notes/contract.ts'

/** Replies are lists of wrappers with one member, named after the type of the item. */
const bank = (title: string, about: string, columns: string): View => ({
  title,
  about,
  items: 'Response.*',
  columns: columns.split(' '),
})

/** Payments of an account, with its balance. */
const ledger: Panel = {
  title: 'Ledger',
  operation: 'listPayments',
  fields: { 'monetary-accountID': 'id' },
  query: { count: '200' },
  show: {
    as: 'postings',
    rows: 'Response.*',
    time: 'created',
    amount: 'amount.value',
    description: 'description',
    counterparty: 'counterparty_alias.display_name',
    balance: 'item:balance.value',
  },
}

/** Resources that have notes but no list of their own, so that the notes appear in their account. */
const unlisted: Readonly<Record<string, string>> = {
  SchedulePaymentBatch: ' of scheduled batches',
  VendorMeFundraiserResult: ' of fundraiser results',
}

/** The notes of every resource that can have them. */
const noteViews = Object.fromEntries(
  Object.keys(notes).flatMap((id) => {
    const [, kind, owner = ''] = /^listNote(Text|Attachment)(.+)$/.exec(id) ?? []
    if (!kind) return []
    const [title, column] = kind === 'Text' ? ['Notes', 'content'] : ['Attachments', 'description']
    return [[id, bank(title + (unlisted[owner] ?? ''), 'Private notes and files, visible only to you.', column)]]
  }),
)

export const views: Views = {
  group: 'Money',
  resources: {
    listUsers: {
      ...bank(
        'Customers',
        'A customer of the bank is a person or a company. New ones have no money: request some in their account.',
        'display_name status legal_name',
      ),
      get: 'getUser',
      create: 'createSandboxUserPerson',
      labels: {
        createCardDebit: 'Order debit card',
        changeCards: 'Change several cards',
        replaceCards: 'Replace several cards',
        createCategory: 'Add category',
      },
      invitation: 'Open a bank with its first customer',
    },
    listMonetaryAccounts: {
      ...bank('Accounts', 'All accounts of this customer.', 'description status money:balance currency created'),
      labels: { createScheduleBatch: 'Schedule several payments', createAccountAttachment: 'Upload attachment' },
      panels: [ledger],
    },
    listBankAccounts: {
      ...bank(
        'Bank accounts',
        'A bank account sends and receives payments.',
        'description status money:balance currency created',
      ),
      example: { currency: 'EUR', description: 'Household' },
      panels: [ledger],
    },
    listSavingsAccounts: {
      ...bank(
        'Savings accounts',
        'A savings account can have a savings goal.',
        'description status money:balance created',
      ),
      example: { currency: 'EUR', description: 'Holidays' },
      panels: [ledger],
    },
    listJointAccounts: bank(
      'Joint accounts',
      'A joint account is shared by several people.',
      'description status money:balance created',
    ),
    listPayments: {
      ...bank(
        'Payments',
        'Payments to and from this account.',
        'description money:amount type counterparty_alias.display_name created',
      ),
      example: {
        amount: { value: '1.00', currency: 'EUR' },
        counterparty_alias: { type: 'IBAN', value: 'NL91ABNA0417164300', name: 'Ada' },
        description: 'Lunch',
      },
    },
    listPaymentBatches: bank('Payment batches', 'A batch makes several payments at once.', 'id'),
    listRequestInquiries: {
      ...bank(
        'Requests sent',
        'Money that you have requested from others.',
        'description status money:amount_inquired created',
      ),
      example: {
        amount_inquired: { value: '500.00', currency: 'EUR' },
        counterparty_alias: { type: 'EMAIL', value: sugarDaddies[0] },
        description: 'Please',
        allow_vendorme: false,
      },
    },
    listRequestInquiryBatches: bank('Request batches', 'A batch sends several payment requests at once.', 'id'),
    listRequestResponses: bank(
      'Requests received',
      'Money that others have requested from you.',
      'description status money:amount_inquired created',
    ),
    listDraftPayments: bank('Draft payments', 'Payments awaiting approval.', 'id status created'),
    listSchedulePayments: bank(
      'Scheduled payments',
      'Payments planned for a later date, once or recurring.',
      'id status',
    ),
    listSchedules: bank(
      'Schedules',
      'A schedule sets when its payments are made.',
      'id status time_start recurrence_unit',
    ),
    listScheduleInstances: bank('Occurrences', 'Payments made by this schedule.', 'id state time_start'),
    listCards: {
      ...bank('Cards', 'Payment cards of this customer.', 'name_on_card status type created'),
      create: 'createCardDebit',
    },
    listMasterCardActions: bank(
      'Card payments',
      'Payments made with a card.',
      'description decision money:amount_local created',
    ),
    listTabs: bank('Payment links', 'A payment link lets anyone pay you online.', 'id status created'),
    listFundraiserProfiles: bank(
      'Fundraisers',
      'A fundraiser is a public page that collects money.',
      'description color',
    ),
    listCategories: bank('Categories', 'Payments are grouped by category.', 'category description status type'),
    listOauthClients: bank(
      'Applications',
      'OAuth applications that act on behalf of customers.',
      'display_name status client_id',
    ),
    listCallbackUrls: bank('Redirect URLs', 'Where customers are redirected after they give consent.', 'url created'),
    listOauthGrants: bank('Consents', 'Applications that this customer has authorized.', 'id status'),
    listUserFilters: bank(
      'Notifications',
      'URLs that receive a callback for each event.',
      'category notification_target',
    ),
    listAccountFilters: bank(
      'Notifications',
      'URLs that receive a callback for each event.',
      'category notification_target',
    ),
    listEvents: bank('Events', 'A log of all events, newest first.', 'id action created'),
    listShareInquiries: {
      ...bank(
        'Shared with',
        'Other users who may see this account or pay from it.',
        'counter_user_alias.display_name access_type status end_date',
      ),
      example: { counter_user_alias: { type: 'EMAIL', value: 'ada@example.com' }, access_type: 'VIEW_TRANSACTION' },
    },
    listShareResponses: bank(
      'Shared with me',
      'Invitations to the accounts of other users.',
      'description access_type status end_date',
    ),
    listTopUps: {
      ...bank('Top-ups', 'Money added from another bank.', 'issuer_name status money:amount_requested created'),
      example: { amount_requested: { value: '100.00', currency: 'EUR' }, issuer: 'PAYSNL2A' },
    },
    listAllocations: bank(
      'Allocation rules',
      'A rule passes on a part of each payment like one that was received.',
      'type status money:trigger_amount created',
    ),
    listDefinitions: bank('Parts', 'How a rule divides a payment.', 'description type fraction money:amount'),
    listAllocationInstances: bank(
      'Allocated payments',
      'Payments that a rule has divided.',
      'payment_id status created',
    ),
    listCodes: bank('Security codes', 'CVC2 codes of this card.', 'cvc2 type status expiry_time'),
    listCredentials: bank(
      'Credentials',
      'Devices that use a key of this customer.',
      'permitted_device.description permitted_device.ip status created',
    ),
    listPermittedIps: bank('Addresses', 'Addresses from which this credential can be used.', 'ip status'),
    listPushNotifications: bank(
      'Push notifications',
      "What this customer's phone shows.",
      'category event_type created',
    ),
    listStatements: {
      ...bank(
        'Statements',
        'Account statements to download.',
        'id status statement_format date_start date_end created',
      ),
      example: {
        statement_format: 'PDF',
        date_start: '2026-01-01',
        date_end: '2026-01-31',
        regional_format: 'EUROPEAN',
      },
    },
    listUserInvoices: bank('Invoices', 'Invoices issued by the bank.', 'invoice_number status created'),
    listInvoices: bank('Invoices', 'Invoices issued by the bank.', 'invoice_number status created'),
    listDevices: bank('Devices', 'Devices registered with an API key.', 'description status ip created'),
    ...noteViews,
  },
  others: [
    ...['listInstallations', 'listServerPublicKeys', 'listDeviceServers', 'listUserCompanyNames', 'listLegalNames'],
    ...['listCardNames', 'listSubscriptions', 'listUserSchedules', 'listUserAllocations'],
    ...['listPushFilters', 'listEmailFilters'],
  ],
}
