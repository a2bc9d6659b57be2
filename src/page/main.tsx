import { render } from 'preact';
import { App } from './shell/app.tsx';
import { applyTheme, keptTheme } from './shell/theme.ts';

applyTheme(keptTheme());
const place = document.getElementById('page');
if (place !== null) render(<App />, place);
