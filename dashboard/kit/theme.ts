import { type CSSVariablesResolver, createTheme, type MantineColorsTuple, type OptionsFilter } from '@mantine/core'
import { hasSearchWords } from '../../contract/search-text.ts'

// Mantine's defaults fail WCAG AA in places: light badges, dimmed text, links, placeholders. These values pass.

const indigo: MantineColorsTuple = [
  '#eef1ff',
  '#dce1f8',
  '#b5bfee',
  '#8c9ce4',
  '#6a7edc',
  '#546bd7',
  '#4355c4',
  '#3747ab',
  '#2f3d97',
  '#243082',
]

/** In the dark scheme, dialogs and fields use the greys of the panels: 7 is --panel, 6 is --soft. */
const dark: MantineColorsTuple = [
  '#c9ced4',
  '#b3b9c1',
  '#7d848d',
  '#656c75',
  '#3e444b',
  '#363b42',
  '#2a2e34',
  '#1f2226',
  '#1b1d21',
  '#121416',
]

/** Finds the same options as the searches of the service (DSH-175). */
const filter: OptionsFilter = ({ options, search, limit }) =>
  options.filter((option) => 'group' in option || hasSearchWords(option.label, search)).slice(0, limit)

export const theme = createTheme({
  primaryColor: 'indigo',
  colors: { indigo, dark },
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Modal: { defaultProps: { centered: true, overlayProps: { backgroundOpacity: 0.5 } } },
    // The page has its own banner.
    ModalHeader: { defaultProps: { role: 'none' } },
    DrawerHeader: { defaultProps: { role: 'none' } },
    // Without these, axe reports a child that is not an item, and content outside the landmarks.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, withinPortal: false } },
    Select: { defaultProps: { checkIconPosition: 'right', allowDeselect: false, filter } },
    MultiSelect: { defaultProps: { filter } },
  },
})

/** Colours that must differ from Mantine's. */
export const colors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#545b64',
    '--mantine-color-anchor': '#2f3d97',
    '--mantine-color-placeholder': '#6b727b',
    '--mantine-color-error': '#b42318',
    '--mantine-color-text': '#1c2026',
    '--mantine-color-default-border': '#868d96',
    '--mantine-color-disabled-color': '#5f666f',
  },
  dark: {
    '--mantine-color-dimmed': '#a9b0b9',
    '--mantine-color-anchor': '#b5bfee',
    '--mantine-color-placeholder': '#9aa1aa',
    '--mantine-color-error': '#ff9b90',
    '--mantine-color-text': '#e3e6ea',
    '--mantine-color-default-border': '#7d848d',
    '--mantine-color-disabled-color': '#a3aab3',
  },
})
