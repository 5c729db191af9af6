package dev.leasehold.spring.exclusive;

import dev.leasehold.LeaseRequest;
import dev.leasehold.Leases;
import dev.leasehold.spring.Exclusive;
import dev.leasehold.spring.Node;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AbstractBeanFactoryAwareAdvisingPostProcessor;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Has the calls of exclusive methods go through the {@link ExclusiveInterceptor}: outside of all advice that a bean has by then,
 * transactions among it, and inside of {@code @Async}, which comes later. Refuses what it cannot see to.
 */
final class ExclusivePostProcessor extends AbstractBeanFactoryAwareAdvisingPostProcessor
        implements SmartInitializingSingleton {

    private static final Logger log = LoggerFactory.getLogger(ExclusivePostProcessor.class);
    private static final long serialVersionUID = 1L;

    private final transient ConfigurableListableBeanFactory beans;
    private final transient ExclusiveMethods methods;
    private final transient LeasesIfAny leases;
    private final transient RunningCalls calls = new RunningCalls();
    private final transient Set<ExclusiveMethod> seen = ConcurrentHashMap.newKeySet();
    private final transient Set<Class<?>> searched = ConcurrentHashMap.newKeySet();
    private volatile boolean hasStarted;

    ExclusivePostProcessor(ConfigurableListableBeanFactory beans, LeasesIfAny leases) {
        this.beans = beans;
        this.methods = new ExclusiveMethods(beans, () -> beans.getBean(Node.class));
        this.leases = leases;
        Advice advice = new ExclusiveInterceptor(methods, leases, calls);
        this.advisor = new DefaultPointcutAdvisor(new Annotated(), advice);
        setBeforeExistingAdvisors(true);
        setOrder(LOWEST_PRECEDENCE - 1);
    }

    /** Of the methods that it sees to. */
    RunningCalls calls() {
        return calls;
    }

    private static final class Annotated extends StaticMethodMatcherPointcut {

        @Override
        public boolean matches(Method method, Class<?> targetClass) {
            return ExclusiveMethods.annotation(method, targetClass).isPresent();
        }
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        Object processed = super.postProcessAfterInitialization(bean, beanName);
        Class<?> type = AopUtils.getTargetClass(bean);
        Set<Method> exclusive = exclusiveMethods(type, processed);
        for (Method method : exclusive) {
            Advisable.check(method, type, processed);
            see(methods.of(method, type, target(bean)));
        }
        if (!exclusive.isEmpty() && searched.add(type)) {
            SelfCalls.refuse(type, exclusive);
        }
        return processed;
    }

    /** The proxy of a scope leads to a bean that is looked at by itself. */
    private static Set<Method> exclusiveMethods(Class<?> type, Object bean) {
        if (bean instanceof ScopedObject || !AnnotationUtils.isCandidateClass(type, Exclusive.class)) {
            return Set.of();
        }
        return MethodIntrospector.selectMethods(
                type,
                (Method method) -> ExclusiveMethods.annotation(method, type).isPresent());
    }

    private static @Nullable Object target(Object bean) {
        return AopUtils.isAopProxy(bean) ? AopProxyUtils.getSingletonTarget(bean) : bean;
    }

    /** Of beans that come later than the leases all is known at once. */
    private void see(ExclusiveMethod method) {
        if (seen.add(method) && hasStarted) {
            leases.get().ifPresent(asked -> checkTtl(method, asked));
        }
    }

    private static void checkTtl(ExclusiveMethod method, Leases leases) {
        try {
            method.ttl()
                    .ifPresent(ttl -> leases.check(LeaseRequest.named("name").ttl(ttl)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("@Exclusive of " + method.described() + ": " + e.getMessage(), e);
        }
    }

    /** What another post-processor needs is made before this one is asked, and has no proxy of ours. */
    private void refuseThoseMadeTooEarly() {
        for (String name : beans.getBeanDefinitionNames()) {
            Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
            if (bean != null) {
                Class<?> type = AopUtils.getTargetClass(bean);
                exclusiveMethods(type, bean).forEach(method -> Advisable.check(method, type, bean));
            }
        }
    }

    /** Now there are leases, if there ever are. */
    @Override
    public void afterSingletonsInstantiated() {
        hasStarted = true;
        refuseThoseMadeTooEarly();
        if (seen.isEmpty()) {
            return;
        }
        Optional<Leases> asked = leases.get();
        if (asked.isEmpty()) {
            log.warn("leasehold.enabled is false: {} exclusive methods run on every instance", seen.size());
            return;
        }
        seen.forEach(method -> checkTtl(method, asked.get()));
        log.info(
                "exclusive methods: {}",
                seen.stream().map(ExclusiveMethod::described).sorted().collect(Collectors.joining(", ")));
    }
}
