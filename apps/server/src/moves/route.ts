import { type Database, notFound } from '@icosa/kernel'
import { findTenant, setTenantRoute } from '../cells/store.ts'
import type { Route } from './cell.ts'

/** Routers learn it from the directory. */
export function routeOf(directory: Database): Route {
  const here = async (tenant: string, isHeld: boolean) => {
    const { cell } = (await findTenant(directory, tenant)) ?? notFound('tenant', tenant)
    await setTenantRoute(directory, tenant, { cell, isHeld })
  }
  return {
    hold: (tenant) => here(tenant, true),
    release: (tenant) => here(tenant, false),
    switch: (tenant, cell) => setTenantRoute(directory, tenant, { cell, isHeld: false }),
  }
}
