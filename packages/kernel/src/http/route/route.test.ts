import { fastify } from 'fastify'
import { expect, test } from 'vitest'
import { pathMatcher, segmentsOf, toRoute } from './route.ts'

const arn = `arn:vendor:backup:eu:1:recovery-point:${'x'.repeat(1960)}/y`

/** Contract path, request path, parameters. `undefined`: not served. */
const cases: readonly (readonly [path: string, sent: string, params: Record<string, string> | undefined])[] = [
  ['/plans/{planId}', '/plans/p1', { planId: 'p1' }],
  // trailing slashes, both ways
  ['/backup/plans/', '/backup/plans', {}],
  ['/backup/plans/', '/backup/plans/', {}],
  ['/legal-holds', '/legal-holds/', {}],
  ['/alarms/{alarmModelName}/keyValues/', '/alarms/a1/keyValues', { alarmModelName: 'a1' }],
  // names that the router does not accept
  [
    '/user/{userID}/monetary-account/{monetary-accountID}/attachment',
    '/user/1/monetary-account/22/attachment',
    {
      userID: '1',
      'monetary-accountID': '22',
    },
  ],
  ['/client/{client_id}', '/client/abc', { client_id: 'abc' }],
  ['/{client_id}/iframe', '/abc/iframe', { client_id: 'abc' }],
  // custom verbs
  [
    '/v2/{name=projects/*/locations/*/functions/*}:generateDownloadUrl',
    '/v2/projects/p/locations/l/functions/f:generateDownloadUrl',
    {
      name: 'projects/p/locations/l/functions/f',
    },
  ],
  [
    '/v2/{name=projects/*/locations/*/functions/*}:generateDownloadUrl',
    '/v2/projects/p/locations/l/functions/f:other',
    undefined,
  ],
  [
    '/v2/{parent=projects/*/locations/*}/functions:generateUploadUrl',
    '/v2/projects/p/locations/l/functions:generateUploadUrl',
    {
      parent: 'projects/p/locations/l',
    },
  ],
  ['/v1/{name}:call', '/v1/f:call', { name: 'f' }],
  ['/v1/{name}:call', '/v1/f', undefined],
  // names containing slashes
  [
    '/v2/{name=projects/*/locations/*/functions/*}',
    '/v2/projects/p/locations/l/functions/f',
    {
      name: 'projects/p/locations/l/functions/f',
    },
  ],
  ['/v2/{name=projects/*/locations/*/functions/*}', '/v2/projects/p/functions/f', undefined],
  [
    '/v2/{parent=projects/*/locations/*}/functions',
    '/v2/projects/p/locations/-/functions',
    {
      parent: 'projects/p/locations/-',
    },
  ],
  // encoded slashes stay inside their segment; long names
  [
    '/resources/{Arn}/tags',
    '/resources/arn:vendor:rg:eu:1:group%2Fmine/tags',
    { Arn: 'arn:vendor:rg:eu:1:group/mine' },
  ],
  ['/resources/{Arn}/tags', `/resources/${encodeURIComponent(arn)}/tags`, { Arn: arn }],
  ['/resources/{Arn}/tags', '/resources/a%25b%20c%3F/tags', { Arn: 'a%b c?' }],
  ['/resources/{Arn}/tags', '/resources/a%2525/tags', { Arn: 'a%25' }],
  ['/resources/{Arn}/tags', '/resources/a/b/tags', undefined],
  ['/tags/{name}', '/tags/%E2%A0%93', { name: '⠓' }],
  ['/v3.0/', '/v3.0', {}],
  ['/v3.0/', '/v3x0', undefined],
  // case is ignored in literals, never in values
  ['/subscriptions/{id}/resourceGroups/{g}', '/subscriptions/S/resourcegroups/MyGroup', { id: 'S', g: 'MyGroup' }],
]

test.each(cases)('%s matches %s', async (path, sent, params) => {
  const route = toRoute(path)
  const app = fastify({ routerOptions: { ignoreTrailingSlash: true, caseSensitive: false, maxParamLength: 2048 } })
  app.get(route.url, async (request) => route.params(request.params as Record<string, string>))
  const answer = await app.inject(sent)
  expect(answer.statusCode).toBe(params ? 200 : 404)
  if (params) expect(answer.json()).toEqual(params)
})

test.each([
  ['/plans/{planId}', '/plans/P1', true],
  ['/plans/{planId}', '/Plans/P1', false],
  ['/plans/{planId}', '/plans/P1/', true],
  ['/plans/{planId}', '/other/plans/P1', false],
  ['/v1/{name}:call', '/v1/f:call', true],
  ['/v1/{name}:call', '/v1/f:CALL', false],
  ['/v1/{name}:call', '/v1/:call', false],
  ['/v3.0/', '/v3.0', true],
  ['/v3.0/', '/v3x0', false],
  ['/plans/{planId}', '/plans/P1/copies', false],
  ['/plans/{planId}', `/plans/${'x'.repeat(2048)}`, true],
  ['/plans/{planId}', `/plans/${'x'.repeat(2049)}`, false],
  ['/v2/{name=projects/*/functions/*}:run', '/v2/projects/p/functions/f:run', true],
  ['/v2/{name=projects/*/functions/*}:run', '/v2/projects/p/q/functions/f:run', false],
])('%s matches %s exactly: %s', (path, sent, same) => {
  expect(pathMatcher(path)(segmentsOf(sent))).toBe(same)
})

test('a path and the same path with a custom verb coexist', async () => {
  const app = fastify({ routerOptions: { caseSensitive: false, maxParamLength: 2048 } })
  for (const path of ['/v2/{name=functions/*}', '/v2/{name=functions/*}:run', '/v2/{name=operations/*}']) {
    const route = toRoute(path)
    app.get(route.url, async (request) => ({ path, ...route.params(request.params as Record<string, string>) }))
  }
  expect((await app.inject('/v2/functions/f')).json()).toEqual({ path: '/v2/{name=functions/*}', name: 'functions/f' })
  expect((await app.inject('/v2/functions/f:run')).json()).toMatchObject({ path: '/v2/{name=functions/*}:run' })
  expect((await app.inject('/v2/operations/o')).json()).toMatchObject({ name: 'operations/o' })
})
