export * from './column.ts'
export { type Panel, type PanelCall, panelKinds, type ResolvedPanel, type Show } from './panel.ts'
export { itemsField, resolveServicePanels, resolveViews, type ViewedOperation, viewedOperations } from './resolve.ts'
export * from './view.ts'
