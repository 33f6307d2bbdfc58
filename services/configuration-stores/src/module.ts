import type { ServiceModule } from '@icosa/module'

export const module: ServiceModule = {
  async create(_, { baseUrl }) {
    const { configurationStores } = await import('./index.ts')
    return configurationStores({ endpoint: `${baseUrl}/configuration-stores/stores/{name}` })
  },
}
