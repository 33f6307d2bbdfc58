import { viewGroups } from '@icosa/contract'
import { implement, notFound, ok } from '@icosa/kernel'
import type { ServiceRuntime } from '../runtime.ts'
import { catalogue as contract } from './contract.ts'
import { catalogueOf } from './describe.ts'

export const catalogue = implement<typeof contract, ServiceRuntime>(contract, {
  async getCatalogue(_, { caller, runtime }) {
    const services = runtime.node.services.flatMap((service) => {
      const described = catalogueOf(runtime.describe(service), caller)
      if (!described) return []
      const { name, title, group, apis, views } = described
      const summaries = views.map(({ id, title: heading, about, group: own, type, parent, invitation }) => ({
        ...{ id, title: heading, about, group: own },
        ...(type !== undefined && { type }),
        ...(parent && { parent: parent.view }),
        ...(invitation !== undefined && { invitation }),
      }))
      const operations = apis.reduce((sum, api) => sum + api.operations.length, 0)
      return [{ name, title, group, operations, views: summaries }]
    })
    return ok({ tenant: caller.tenant, groups: [...viewGroups], services })
  },

  async getServiceCatalogue({ params }, { caller, runtime }) {
    const service = runtime.node.services.find(({ name }) => name === params.service)
    return ok((service && catalogueOf(runtime.describe(service), caller)) ?? notFound('service', params.service))
  },
})
