/** The calls of the dashboard's pages about settings. */
export type SettingsApi = Record<never, never>
