// SPDX-License-Identifier: Apache-2.0
// Tells ipv6check's tracer where a program of Node's asks for a connection, a datagram, a port or a name: the calls themselves come
// from the event loop, where the program's functions have returned long since. The message is the path of a file that does not exist.
//
// A connection may be asked for later than the request that it is for: one that a redirection leads to, or that waited for its turn
// in a pool. Node's own functions are all that is on the stack then, and the request's place is told.
//
// The program sees nothing of it: wrapped functions behave as before, and errors in here are dropped. Its stacks name them as Node's own.
//# sourceURL=node:ipv6check
'use strict';
try {
    const { openSync, closeSync } = require('fs');
    const os = require('os');
    const net = require('net');
    const dgram = require('dgram');
    const dns = require('dns');
    const http = require('http');
    const https = require('https');
    const { syncBuiltinESMExports } = require('module');
    const { AsyncLocalStorage } = require('async_hooks');
    const { captureStackTrace } = Error;
    const told = new Set();
    // The frames of the request that what runs now belongs to.
    const request = new AsyncLocalStorage();

    const sitesAbove = (wrapper) => {
        const limit = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit');
        const prepare = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
        try {
            // fetch alone has thirty functions of Node's between the program and its connection.
            Error.stackTraceLimit = 128;
            Error.prepareStackTrace = (_, sites) => sites;
            const holder = {};
            captureStackTrace(holder, wrapper);
            return holder.stack;
        } finally {
            if (prepare) Object.defineProperty(Error, 'prepareStackTrace', prepare);
            else delete Error.prepareStackTrace;
            if (limit) Object.defineProperty(Error, 'stackTraceLimit', limit);
        }
    };

    const plain = (text) => String(text || '').replace(/[\n\t\0]/g, ' ');

    const frames = (wrapper) => {
        let text = '';
        for (const site of sitesAbove(wrapper)) {
            let file = plain(site.getFileName());
            if (file.startsWith('file://')) file = decodeURIComponent(file.slice(7));
            if (!file || file.startsWith('node:') || file === __filename) continue;
            text += `${file}\t${site.getLineNumber() || 0}\t${plain(site.getFunctionName())}\n`;
        }
        return text || request.getStore() || '';
    };

    const announce = (call, text) => {
        let path = `/dev/ipv6check/frames/1\nfor=${call}\n${text}`;
        // A path has its limit; only whole frames are told.
        while (Buffer.byteLength(path) > 3900) path = path.replace(/[^\n]*\n$/, '');
        if (told.has(path) || told.size > 256) return;
        told.add(path);
        try { closeSync(openSync(path, 'r')); } catch {}
    };

    const tell = (hosts, port, wrapper) => {
        try {
            if (port !== '-') port = Number(port);
            if (port !== '-' && !(port >= 0 && port < 65536)) return;
            hosts = hosts.filter((host) => typeof host === 'string' && host);
            const text = frames(wrapper);
            if (!text) return;
            for (const host of hosts) announce(`${plain(host).replace(/ /g, '')} ${port}`, text);
        } catch {}
    };

    const replace = (object, name, make) => {
        const descriptor = Object.getOwnPropertyDescriptor(object, name);
        if (typeof descriptor?.value !== 'function') return;
        const wrapper = make(descriptor.value);
        for (const property of Reflect.ownKeys(descriptor.value))
            if (property !== 'prototype')
                Object.defineProperty(wrapper, property, Object.getOwnPropertyDescriptor(descriptor.value, property));
        Object.defineProperty(object, name, { ...descriptor, value: wrapper });
    };

    const wrap = (object, name, before) =>
        replace(object, name, (original) => {
            const wrapper = function (...given) {
                before(given, wrapper, this);
                return Reflect.apply(original, this, given);
            };
            return wrapper;
        });

    const keepPlace = (object, name) =>
        replace(object, name, (original) => {
            const wrapper = function (...given) {
                let place = '';
                try { place = frames(wrapper); } catch {}
                return request.run(place, () => Reflect.apply(original, this, given));
            };
            return wrapper;
        });

    // (options), (port, host), or what Node made of them: [options, …].
    const target = (given) => {
        let [first, second] = given;
        if (Array.isArray(first)) first = first[0];
        if (first !== null && typeof first === 'object') return first;
        return { port: first, host: typeof second === 'string' ? second : undefined };
    };

    wrap(net.Socket.prototype, 'connect', (given, wrapper) => {
        const { host, port, path } = target(given);
        if (!path && port !== undefined) tell([host || 'localhost'], port, wrapper);
    });
    wrap(net.Server.prototype, 'listen', (given, wrapper) => {
        const { host, port, path } = target(given);
        if (!path && port !== undefined && typeof port !== 'function') tell(host ? [host] : ['::', '0.0.0.0'], port, wrapper);
    });
    const own = (socket) => (socket.type === 'udp6' ? ['::', '::1'] : ['0.0.0.0', '127.0.0.1']);
    wrap(dgram.Socket.prototype, 'bind', (given, wrapper, socket) => {
        const first = given[0];
        const { port, address } =
            first !== null && typeof first === 'object' ? first : { port: first, address: given[1] };
        tell([typeof address === 'string' && address ? address : own(socket)[0]], typeof port === 'number' ? port : 0, wrapper);
    });
    wrap(dgram.Socket.prototype, 'connect', (given, wrapper, socket) => {
        tell([typeof given[1] === 'string' && given[1] ? given[1] : own(socket)[1]], given[0], wrapper);
    });
    wrap(dgram.Socket.prototype, 'send', (given, wrapper, socket) => {
        // (message, port, address) or (message, offset, length, port, address)
        const isLong = given[4] || (given[3] && typeof given[3] !== 'function');
        const [port, address] = isLong ? given.slice(3, 5) : given.slice(1, 3);
        if (typeof port === 'function' || port === undefined) return;
        tell([typeof address === 'string' && address ? address : own(socket)[1]], port, wrapper);
    });
    // A name without a port.
    for (const resolver of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
        for (const question of ['lookup', 'resolve', 'resolve4', 'resolve6', 'resolveAny'])
            wrap(resolver, question, ([name], wrapper) => tell([name], '-', wrapper));
    // These calls are made at once, on this thread.
    const tellAfter = (object, name) =>
        replace(object, name, (original) => {
            const wrapper = function (...given) {
                try {
                    return Reflect.apply(original, this, given);
                } finally {
                    try {
                        const text = frames(wrapper);
                        if (text) announce('last', text);
                    } catch {}
                }
            };
            return wrapper;
        });
    tellAfter(os, 'networkInterfaces');
    for (const name of ['addMembership', 'addSourceSpecificMembership', 'setMulticastInterface'])
        tellAfter(dgram.Socket.prototype, name);
    // The next call of this thread is that of its end.
    replace(process, 'exit', (original) => {
        const wrapper = function (...given) {
            try {
                const text = frames(wrapper);
                if (text) announce('', text);
            } catch {}
            return Reflect.apply(original, this, given);
        };
        return wrapper;
    });
    keepPlace(globalThis, 'fetch');
    for (const requests of [http, https]) for (const name of ['request', 'get']) keepPlace(requests, name);
    // For what is imported by its name.
    syncBuiltinESMExports();
} catch {}
