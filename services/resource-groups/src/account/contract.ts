import { named, oneOf, type Static, Type } from '@icosa/contract'
import { api } from '../groups/contract.ts'

const desired = oneOf('ACTIVE', 'INACTIVE')

export const AccountSettings = named('AccountSettings', {
  GroupLifecycleEventsDesiredStatus: desired,
  GroupLifecycleEventsStatus: oneOf('ACTIVE', 'INACTIVE', 'IN_PROGRESS', 'ERROR'),
  GroupLifecycleEventsStatusMessage: Type.Optional(Type.String()),
})
export type AccountSettings = Static<typeof AccountSettings>

export const account = {
  GetAccountSettings: api.post('/get-account-settings', {
    summary: 'Read whether group events are sent.',
    replies: { 200: named('GetAccountSettingsOutput', { AccountSettings }) },
    reads: true,
  }),
  UpdateAccountSettings: api.post('/update-account-settings', {
    summary: 'Turn group events on or off, in the background.',
    body: named('UpdateAccountSettingsInput', { GroupLifecycleEventsDesiredStatus: Type.Optional(desired) }),
    replies: { 200: named('UpdateAccountSettingsOutput', { AccountSettings }) },
  }),
}
