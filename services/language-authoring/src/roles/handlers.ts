import { randomUUID } from 'node:crypto'
import { created, implement, ok, type Resource } from '@icosa/kernel'
import type { Content, Model, Role } from '../content/content.ts'
import { limits, modelOf } from '../content/find.ts'
import { stripRole } from '../examples/strip.ts'
import { nameTaken, tooMany, unknown } from '../shapes/failures.ts'
import { done } from '../shapes/replies.ts'
import { contentOf, editContent } from '../versions/edit.ts'
import { type RolesAt, roleKinds, rolesContract } from './contract.ts'

function roles(where: RolesAt): Resource {
  const modelIn = (content: Content, params: Readonly<Record<string, string>>): Model => {
    const id = params[where.param] as string
    if (where.kind !== 'custom') return modelOf(content, where.kind, id)
    return (
      content.models.find((model) => model.id === id && model.kind !== 'intent' && model.inherits) ??
      unknown('entity', id)
    )
  }
  const roleIn = (model: Model, id: string): Role => model.roles.find((role) => role.id === id) ?? unknown('role', id)
  const demandNew = (model: Model, name: string, except?: Role) => {
    if (model.roles.some((role) => role !== except && role.name === name)) nameTaken('role', name)
  }

  return implement(rolesContract(where), {
    async list({ params }, context) {
      return ok(modelIn(await contentOf(context, params), params).roles)
    },

    async create({ params, body }, context) {
      const id = await editContent(context, params, (content) => {
        const model = modelIn(content, params)
        demandNew(model, body.name)
        if (model.roles.length >= limits.roles) tooMany('roles of an entity', limits.roles)
        const role = { id: randomUUID(), name: body.name }
        model.roles.push(role)
        return role.id
      })
      return created(id)
    },

    async get({ params }, context) {
      return ok(roleIn(modelIn(await contentOf(context, params), params), params.roleId))
    },

    async update({ params, body }, context) {
      await editContent(context, params, (content) => {
        const model = modelIn(content, params)
        const role = roleIn(model, params.roleId)
        demandNew(model, body.name, role)
        role.name = body.name
      })
      return done()
    },

    async delete({ params }, context) {
      await editContent(context, params, async (content, { uid }) => {
        const model = modelIn(content, params)
        const role = roleIn(model, params.roleId)
        model.roles = model.roles.filter((other) => other !== role)
        await stripRole(context.db, context.caller.tenant, uid, model.id, role.id)
      })
      return done()
    },
  })
}

/** Role resources of every kind of entity. */
export const roleResources = Object.fromEntries(Object.entries(roleKinds).map(([name, where]) => [name, roles(where)]))
