import { named, Type } from '@icosa/contract'
import { enumeration, paging } from '@icosa/dialects/google'
import { api, parent, project } from '../api/contract.ts'
import { environments } from '../functions/contract.ts'

const optional = Type.Optional
const day = named('Date', { year: Type.Integer(), month: Type.Integer(), day: Type.Integer() })

export const locations = {
  listLocations: api.get(`${project}/locations`, {
    specified: '/v2/{name}/locations',
    summary: "List the locations of a project: those of its functions, and the platform's own.",
    query: Type.Object({ ...paging(100), filter: optional(Type.String({ maxLength: 500 })) }),
    replies: {
      200: named('ListLocationsResponse', {
        locations: Type.Array(
          named('Location', { name: Type.String(), locationId: Type.String(), displayName: Type.String() }),
        ),
        nextPageToken: optional(Type.String()),
      }),
    },
  }),
  listRuntimes: api.get(`${parent}/runtimes`, {
    specified: '/v2/{parent}/runtimes',
    summary: 'List the available runtimes.',
    query: Type.Object({ filter: optional(Type.String({ maxLength: 500 })) }),
    replies: {
      200: named('ListRuntimesResponse', {
        runtimes: Type.Array(
          named('Runtime', {
            name: Type.String(),
            displayName: Type.String(),
            stage: enumeration(
              'RUNTIME_STAGE_UNSPECIFIED',
              'DEVELOPMENT',
              'ALPHA',
              'BETA',
              'GA',
              'DEPRECATED',
              'DECOMMISSIONED',
            ),
            environment: enumeration(...environments),
            warnings: Type.Array(Type.String()),
            deprecationDate: optional(day),
            decommissionDate: optional(day),
          }),
        ),
      }),
    },
  }),
}
