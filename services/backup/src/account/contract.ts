import { extensions, named, Type } from '@icosa/contract'
import { api, Nothing, opt, Texts, time } from '../shapes/contract.ts'

const Preferences = Type.Record(Type.Boolean())

export const account = {
  DescribeGlobalSettings: api.get('/global-settings', {
    summary: 'Read the settings of all accounts of an organization.',
    replies: { 200: named('DescribeGlobalSettingsOutput', { GlobalSettings: opt(Texts), LastUpdateTime: time }) },
  }),
  ...extensions({
    UpdateGlobalSettings: api.put('/global-settings', {
      summary: 'Change the settings of all accounts of an organization.',
      body: named('UpdateGlobalSettingsInput', { GlobalSettings: opt(Texts) }),
      replies: { 200: Nothing },
    }),
    DescribeRegionSettings: api.get('/account-settings', {
      summary: 'Read which resource types backup plans include.',
      replies: {
        200: named('DescribeRegionSettingsOutput', {
          ResourceTypeOptInPreference: opt(Preferences),
          ResourceTypeManagementPreference: opt(Preferences),
        }),
      },
    }),
    UpdateRegionSettings: api.put('/account-settings', {
      summary: 'Set which resource types backup plans include.',
      body: named('UpdateRegionSettingsInput', {
        ResourceTypeOptInPreference: opt(Preferences),
        ResourceTypeManagementPreference: opt(Preferences),
      }),
      replies: { 200: Nothing },
    }),
    GetSupportedResourceTypes: api.get('/supported-resource-types', {
      summary: 'List the types of resources that can be backed up.',
      replies: { 200: named('GetSupportedResourceTypesOutput', { ResourceTypes: Type.Array(Type.String()) }) },
    }),
  }),
}
