/** Fields that are not read back as they were written, each with the test that shows what it does. */
export const fields = {
  '* *alias': 'becomes the label of the account that is meant: src/payments/payments.test.ts',
  'create*Batch *|updateRequest*': 'an action on several, or shown one by one: src/requests/requests.test.ts',
  'createCategory status': 'DELETED takes it out of the list: src/categories/categories.test.ts',
  updateScheduleInstance: 'an action: src/schedules/schedules.test.ts',
  'updateDraftPayment previous_updated_timestamp': 'a precondition: src/drafts/drafts.test.ts',
  'createInstallation *|create*Server *': 'an action: src/access/access.test.ts',
  'authorizeCard *|settleAuthorization *': 'an action: src/cards/cards.test.ts',
  '*Card* *_code*': 'secret: src/cards/cards.test.ts',
  'set*Filters *': 'listed one by one: src/notifications/notifications.test.ts',
  '*Note*': 'one implementation for all: src/notes/notes.test.ts',
}
