import { named, Type } from '@icosa/contract'
import { api, configuration, GroupConfiguration, groupString } from '../groups/contract.ts'

export const configurations = {
  GetGroupConfiguration: api.post('/get-group-configuration', {
    summary: 'Read the configuration of a group, and whether a change is in progress.',
    body: named('GetGroupConfigurationInput', { Group: Type.Optional(groupString) }),
    replies: { 200: named('GetGroupConfigurationOutput', { GroupConfiguration }) },
    reads: true,
  }),
  PutGroupConfiguration: api.post('/put-group-configuration', {
    summary: 'Replace the configuration of a group, in the background.',
    body: named('PutGroupConfigurationInput', {
      Group: Type.Optional(groupString),
      Configuration: Type.Optional(configuration),
    }),
    replies: { 200: named('PutGroupConfigurationOutput', {}) },
  }),
}
