import { statementsOf, until } from './statements.ts'

const ResourceQuery = {
  Type: 'TAG_FILTERS_1_0',
  Query: JSON.stringify({ ResourceTypeFilters: ['AWS::AllSupported'], TagFilters: [{ Key: 'keep' }] }),
}
const stack = 'arn:aws:cloudformation:us-east-1:123456789012:stack/none/1'
const hosts = [
  {
    Type: 'AWS::EC2::HostManagement',
    Parameters: [{ Name: 'any-host-based-license-configuration', Values: ['true'] }],
  },
  {
    Type: 'AWS::ResourceGroups::Generic',
    Parameters: [
      { Name: 'allowed-resource-types', Values: ['AWS::EC2::Host'] },
      { Name: 'deletion-protection', Values: ['UNLESS_EMPTY'] },
    ],
  },
]

statementsOf('R', ['resource-groups'], async ({ caller, holds }) => {
  const call = caller('resource-groups')
  const post = (path: string, json: object = {}) => call('POST', path, json)
  const created = await post('/groups', { Name: 'kept', Description: 'd', ResourceQuery, Tags: { a: 'b' } })
  const { Group, Tags } = created.json
  holds(
    'a group is made with its query and tags',
    Group.GroupArn && created.json.ResourceQuery && Tags.a === 'b',
    created.text,
  )

  const { json: changed } = await post('/update-group', { Group: 'kept', Description: 'e' })
  const one = await post('/get-group', { Group: 'kept' })
  const { json: list } = await post('/groups-list?maxResults=1')
  const { json: query } = await post('/get-group-query', { GroupName: 'kept' })
  const updated = await post('/update-group-query', { GroupName: 'kept', ResourceQuery })
  const members = await post('/list-group-resources', { Group: 'kept' })
  const areRead = one.status === 200 && list.Groups.length === 1 && query.GroupQuery && members.status === 200
  holds(
    'it is read, listed and changed',
    areRead && updated.status === 200 && changed.Group.Description === 'e',
    changed,
  )

  const tags = `/resources/${encodeURIComponent(Group.GroupArn)}/tags`
  const put = await call('PUT', tags, { Tags: { c: 'd' } })
  const before = await call('GET', tags)
  const patched = await call('PATCH', tags, { Keys: ['a'] })
  const after = await call('GET', tags)
  const areAdded = put.json.Tags.c === 'd' && before.json.Tags.a === 'b'
  holds('tags are added, read and removed', areAdded && patched.json.Keys[0] === 'a' && !after.json.Tags.a, after.text)

  const status = async () => (await post('/get-account-settings')).json.AccountSettings.GroupLifecycleEventsStatus
  const { json: begun } = await post('/update-account-settings', { GroupLifecycleEventsDesiredStatus: 'ACTIVE' })
  const isActive = await until(async () => (await status()) === 'ACTIVE')
  const first = begun.AccountSettings.GroupLifecycleEventsStatus
  holds('events of groups are IN_PROGRESS, then ACTIVE', first === 'IN_PROGRESS' && isActive, begun)

  const host = 'arn:aws:ec2:us-east-1:123456789012:host/h-1'
  const added = await post('/group-resources', { Group: 'kept', ResourceArns: [host] })
  holds('nothing is added to a group with a query', added.status === 400, added.text)
  const configured = await post('/groups', { Name: 'hosts', Configuration: hosts })
  const { json: configuration } = await post('/get-group-configuration', { Group: 'hosts' })
  holds('a group may have a configuration', configuration.GroupConfiguration?.Status, configured.text)
  const Query = JSON.stringify({ ResourceTypeFilters: ['AWS::AllSupported'], StackIdentifier: stack })
  const search = await post('/resources/search', { ResourceQuery: { Type: 'CLOUDFORMATION_STACK_1_0', Query } })
  holds('a search tells that the stack is missing', search.json.QueryErrors?.length, search.text)
  const removed = await post('/delete-group', { Group: 'kept' })
  const missing = await post('/get-group', { Group: 'kept' })
  holds('a group is deleted', removed.json.Group.Name && missing.text.includes('NotFound'), missing.text)
})
