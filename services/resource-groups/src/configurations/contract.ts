import { named, Type } from '@icosa/contract'
import { api, configuration, GroupConfiguration, groupString } from '../groups/contract.ts'

export const configurations = {
  GetGroupConfiguration: api.post('/get-group-configuration', {
    summary: 'Read the configuration of a group, and whether another one is on its way.',
    body: named('GetGroupConfigurationInput', { Group: Type.Optional(groupString) }),
    replies: { 200: named('GetGroupConfigurationOutput', { GroupConfiguration }) },
    reads: true,
  }),
  PutGroupConfiguration: api.post('/put-group-configuration', {
    summary: 'Give a group another configuration, in the background.',
    body: named('PutGroupConfigurationInput', {
      Group: Type.Optional(groupString),
      Configuration: Type.Optional(configuration),
    }),
    replies: { 200: named('PutGroupConfigurationOutput', {}) },
  }),
}
