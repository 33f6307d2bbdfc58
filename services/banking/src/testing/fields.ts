/** Fields that are not read back as they were written, each with the test that shows what it does. */
const digits = 'shown with the digits of its currency: src/payments/payments.test.ts'
const pointer = 'becomes the label of who is meant: src/payments/payments.test.ts'
const spelled = 'read back in the neutral spelling: src/tabs/tabs.test.ts'
const card = 'src/cards/cards.test.ts'
const access = 'src/access/access.test.ts'

export const fields = {
  'createPayment amount.value': `shown below zero, since it left the account: src/payments/payments.test.ts`,
  'createPayment counterparty_alias': pointer,
  createPaymentBatch: 'shown as payments: src/payments/payments.test.ts',
  'createRequestInquiry amount_inquired.value': digits,
  'createRequestInquiry counterparty_alias': 'becomes the label of who is meant: src/requests/requests.test.ts',
  'createRequestInquiry allow_bunqme': 'read back in the neutral spelling: src/requests/requests.test.ts',
  createRequestInquiryBatch: 'shown as requests: src/requests/requests.test.ts',
  updateRequestInquiry: 'an action: src/requests/requests.test.ts',
  updateRequestInquiryBatch: 'an action: src/requests/requests.test.ts',
  updateRequestResponse: 'an action: src/requests/requests.test.ts',
  updateScheduleInstance: 'an action: src/schedules/schedules.test.ts',
  createInstallation: `an action: ${access}`,
  createDeviceServer: `an action: ${access}`,
  createSessionServer: `an action: ${access}`,
  authorizeCard: `an action: ${card}`,
  settleAuthorization: `an action: ${card}`,
  createCardDebit: `an order: ${card}`,
  updateCard: `read back, except PINs and codes: ${card}`,
  createAvatar: 'read back by its uuid: src/attachments/attachments.test.ts',
  createCategory: 'in the list beside those of the bank: src/categories/categories.test.ts',
  setUserFilters: 'listed one by one: src/notifications/notifications.test.ts',
  setAccountFilters: 'listed one by one: src/notifications/notifications.test.ts',
  'createSchedulePayment schedule.time_start': 'shown to the microsecond: src/schedules/schedules.test.ts',
  'createSchedulePayment schedule.time_end': 'shown to the microsecond: src/schedules/schedules.test.ts',
  'updateSchedulePayment schedule.time_start': 'shown to the microsecond: src/schedules/schedules.test.ts',
  'updateSchedulePayment schedule.time_end': 'shown to the microsecond: src/schedules/schedules.test.ts',
  'createNote*': 'one implementation for all: src/notes/notes.test.ts',
  'updateNote*': 'one implementation for all: src/notes/notes.test.ts',
  createTab: spelled,
  updateTab: spelled,
}
