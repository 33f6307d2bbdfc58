import { named } from '@icosa/contract'
import { api, groupName, ResourceQuery, whichGroup } from '../groups/contract.ts'

const GroupQuery = named('GroupQuery', { GroupName: groupName, ResourceQuery })
const reply = (title: string) => ({ 200: named(title, { GroupQuery }) })

export const queries = {
  GetGroupQuery: api.post('/get-group-query', {
    summary: 'Read the query of a group.',
    body: named('GetGroupQueryInput', whichGroup),
    replies: reply('GetGroupQueryOutput'),
    reads: true,
  }),
  UpdateGroupQuery: api.post('/update-group-query', {
    summary: 'Replace the query of a group.',
    body: named('UpdateGroupQueryInput', { ...whichGroup, ResourceQuery }),
    replies: reply('UpdateGroupQueryOutput'),
  }),
}
