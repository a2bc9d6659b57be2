import { render } from 'preact';
import { App } from './shell/app.tsx';
import { applyTheme, keptTheme } from './shell/theme.ts';
import { trustOwnScripts } from './shell/trusted-scripts.ts';

trustOwnScripts();
applyTheme(keptTheme());
const place = document.getElementById('page');
if (place !== null) render(<App />, place);
