/** Fields that are not returned as written, each with the test that covers it. */
export const fields = {
  '* *alias': 'becomes the label of the account: src/payments/payments.test.ts',
  'create*Batch *|updateRequest*': 'an action on several items, returned one by one: src/requests/requests.test.ts',
  'createCategory status': 'DELETED removes it from the list: src/categories/categories.test.ts',
  updateScheduleInstance: 'an action: src/schedules/schedules.test.ts',
  'updateDraftPayment previous_updated_timestamp': 'a precondition: src/drafts/drafts.test.ts',
  'createInstallation *|create*Server *': 'an action: src/access/access.test.ts',
  'authorizeCard *|settleAuthorization *': 'an action: src/cards/cards.test.ts',
  '*Card* *_code*': 'secret: src/cards/cards.test.ts',
  'set*Filters *': 'listed one by one: src/notifications/notifications.test.ts',
  '*ShareInquiry *|updateShareResponse status': 'what is granted, once for each user: src/shares/shares.test.ts',
  '*Allocation definition': 'listed one by one: src/allocations/allocations.test.ts',
  'confirmFunds *': 'a question: src/funds/funds.test.ts',
  '*Code type|changeCards *|replaceCard*': 'on an active card, and once: src/codes/codes.test.ts',
  '*PermittedIp *': 'of a device, which has signed in: src/credentials/credentials.test.ts',
  '*Note*': 'one implementation for all: src/notes/notes.test.ts',
}
