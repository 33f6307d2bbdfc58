import type { LayerHeader } from './entities/layer.ts'
import type { RoleHeader } from './entities/roles.ts'
import type { Skeleton } from './hits/finder.ts'
import type { ClassifierHeader } from './intents/classifier.ts'
import type { BranchHeader } from './tree.ts'

/** Header of a serialized model. */
export interface ModelHeader {
  app: Skeleton
  intents: string[]
  classifier: ClassifierHeader
  entities?: LayerHeader
  composites?: LayerHeader
  /** By the parent's name. */
  branches: Record<string, BranchHeader>
  /** By the name of a list, an expression or a prebuilt entity. */
  roles: Record<string, RoleHeader>
}
